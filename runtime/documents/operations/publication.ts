/** What is done to the draft and the published version of a document besides writing it. */
import type { ContentType } from "../../content-type.ts";
import type { Session } from "../../database/database.ts";
import { checkOne, type RawQuery } from "../../query/index.ts";
import type { State } from "../context.ts";
import { type DocumentEvent, hooksOf, runAfter } from "../hooks.ts";
import { writtenLocale } from "../locale.ts";
import { findSingleId } from "../single.ts";
import { discardDraft as discard, publishDraft, type StateRequest, unpublish as withdraw } from "../state.ts";
import { transact } from "../transaction.ts";
import { eventOf, type OperationContext, readBack } from "./context.ts";

interface Change {
  /** The version that is answered with. */
  readonly state: State;
  apply(session: Session, request: StateRequest): Promise<boolean>;
  readonly before?: ((event: DocumentEvent) => unknown) | undefined;
  readonly after?: ((event: DocumentEvent) => void | Promise<void>) | undefined;
}

const change = async (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  query: RawQuery,
  { state, apply, before, after }: Change,
): Promise<string | null> => {
  const { services } = context;
  checkOne(context, type, { ...query, status: state });
  const locale = writtenLocale(services.config, type, query["locale"]);
  const event = { ...eventOf(context, type, locale), documentId };
  await before?.(event);
  const json = await transact(services.database, async (session) => {
    const done = await apply(session, { type, documentId, locale });
    return done ? readBack(context, session, type, documentId, { state, locale, query }) : null;
  });
  if (json !== null) await runAfter(services.log, [() => after?.(event)]);
  return json;
};

type Action = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  query: RawQuery,
) => Promise<string | null>;

/** Publishes the draft and answers with the published version; null when there is no such document. */
export const publish: Action = (context, type, documentId, query) => {
  const hooks = hooksOf(context.services, type);
  return change(context, type, documentId, query, {
    state: "published",
    apply: (session, request) => publishDraft(context.services, session, request),
    before: (event) => hooks.beforePublish?.(event),
    after: (event) => hooks.afterPublish?.(event),
  });
};

/** Takes the published version away and answers with the draft. */
export const unpublish: Action = (context, type, documentId, query) => {
  const hooks = hooksOf(context.services, type);
  return change(context, type, documentId, query, {
    state: "draft",
    apply: withdraw,
    before: (event) => hooks.beforeUnpublish?.(event),
    after: (event) => hooks.afterUnpublish?.(event),
  });
};

/** Makes the draft what is published, and answers with it. */
export const discardDraft: Action = (context, type, documentId, query) =>
  change(context, type, documentId, query, {
    state: "draft",
    apply: (session, request) => discard(context.services, session, request),
  });

/** The same for the document of a single type; null before it is created. */
const ofSingle =
  (action: Action) =>
  async (context: OperationContext, type: ContentType, query: RawQuery): Promise<string | null> => {
    const documentId = await findSingleId(context.services.database, type);
    return documentId === undefined ? null : action(context, type, documentId, query);
  };

export const publishSingle = ofSingle(publish);
export const unpublishSingle = ofSingle(unpublish);
export const discardDraftSingle = ofSingle(discardDraft);
