/** Rows of the table of events. */
import type { EventName } from "../config/events.ts";
import { requiredText, type Row } from "../database/database.ts";
import type { CommittedEvent } from "../documents/committed-event.ts";

/** The columns that {@link eventOf} reads, in its order. */
export const EVENT_COLUMNS = "id, name, uid, document_id, locale, created_at, entry";

export const eventOf = ([id, name, uid, documentId, locale, createdAt, entry]: Row): CommittedEvent => ({
  id: requiredText(id),
  event: requiredText(name) as EventName,
  uid: typeof uid === "string" ? uid : null,
  documentId: requiredText(documentId),
  locale: typeof locale === "string" ? locale : null,
  createdAt: new Date(`${requiredText(createdAt).replace(" ", "T")}Z`),
  entry: JSON.parse(requiredText(entry)),
});
