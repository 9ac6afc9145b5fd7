/** What every operation works with: who asks, what for, and how the answer is read. */
import type { Session } from "../../database/database.ts";
import { planOne, type PlannedRead, type RawQuery, type ReadContext } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { State } from "../context.ts";
import type { HookServices } from "../hooks.ts";

/** Who writes: the caller's permissions decide which relations may be written and shown. */
export type OperationContext = ReadContext & { readonly services: HookServices };

export interface OperationRequest {
  readonly data: Readonly<Record<string, unknown>>;
  /** `locale`, `status`, and what shapes the answer: `fields`, `populate`. */
  readonly query: RawQuery;
}

/** The read of what was written, whatever the query filters. */
export const planReadBack = (
  context: OperationContext,
  session: Session,
  type: ContentType,
  documentId: string,
  { state, locale, query }: { state: State; locale: string | null; query: RawQuery },
): PlannedRead => {
  const { fields, populate } = query;
  const status = type.draftAndPublish ? state : (query["status"] ?? state);
  return planOne({ ...context, session }, type, documentId, {
    ...(fields === undefined ? {} : { fields }),
    ...(populate === undefined ? {} : { populate }),
    ...(locale === null ? {} : { locale }),
    status,
  });
};

/** What hooks are told about a write. */
export const eventOf = ({ services, caller }: OperationContext, type: ContentType, locale: string | null) => ({
  uid: type.uid,
  caller,
  locale,
  documents: services.documents,
});
