/** Publishes, unpublishes, and discards the draft of a document. */
import type { Session } from "../../database/database.ts";
import { prepare, type RawQuery } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import type { WriteServices } from "../context.ts";
import type { AfterChange, DocumentEvent, HookedDocument, WriteHooks } from "../hooks.ts";
import { OWN } from "../links/reach.ts";
import { openDocument, type Plan } from "../plan/plan.ts";
import { planDiscard, planPublish, planUnpublish, type PublicationRequest } from "../plan/publication.ts";
import type { Done, OperationContext } from "./context.ts";
import { changeOf, changeWithHooks, eventOf } from "./hooks.ts";
import { writtenLocale } from "./parameters.ts";
import { mayShow, planReadBack, storeAndRead, transact } from "./transaction.ts";

interface Change {
  /** The status of the version to return. */
  readonly status: Status;
  plan(services: WriteServices, session: Session, request: PublicationRequest): Promise<Plan | undefined>;
  before?(hooks: WriteHooks, event: DocumentEvent): void | Promise<void>;
  after?(hooks: WriteHooks, event: () => AfterChange<HookedDocument>): void | Promise<void>;
}

const change = async (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  query: RawQuery,
  { status, plan, before, after }: Change,
): Promise<Done | null> => {
  const { services } = context;
  prepare(context, type, { ...query, status: mayShow(context, type, status) ? status : "published" }, true);
  const locale = writtenLocale(services.config, type, query["locale"]);
  const eventIn = (where: OperationContext): DocumentEvent => ({ ...eventOf(where, type, locale), documentId });
  return changeWithHooks(context, type, documentId, {
    state: undefined,
    before: async (where, hooks) => void (await before?.(hooks, eventIn(where))),
    make: (inside) =>
      transact(inside.services, [documentId], async (session): Promise<Done | null> => {
        const planned = await plan(services, session, { type, documentId, locale });
        if (!planned) return null;
        const readBack = planReadBack(inside, session, type, documentId, { status, locale, query });
        return { documentId, plan: planned, shown: await storeAndRead(inside, session, planned, readBack) };
      }),
    after: (where, hooks, _state, done) => [
      () => after?.(hooks, () => ({ ...eventIn(where), ...changeOf(where, done.plan, "published") })),
    ],
  });
};

export type PublicationAction = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  query: RawQuery,
) => Promise<Done | null>;

/** Publishes the draft, and returns the published version; null if there is no such document. */
export const publish: PublicationAction = (context, type, documentId, query) =>
  change(context, type, documentId, query, {
    status: "published",
    plan: planPublish,
    before: (hooks, event) => hooks.beforePublish?.(event),
    after: (hooks, event) => hooks.afterPublish?.(event()),
  });

/** Deletes the published version, and returns the draft. */
export const unpublish: PublicationAction = (context, type, documentId, query) =>
  change(context, type, documentId, query, {
    status: "draft",
    plan: (_services, session, request) => planUnpublish(session, request),
    before: (hooks, event) => hooks.beforeUnpublish?.(event),
    after: (hooks, event) => hooks.afterUnpublish?.(event()),
  });

/** Replaces the draft by the published version, and returns it. */
export const discardDraft: PublicationAction = (context, type, documentId, query) =>
  change(context, type, documentId, query, { status: "draft", plan: planDiscard });

/**
 * Runs the operation in every locale that has a version to start from (a draft to publish, otherwise a published
 * version), as one transaction. Returns null if there is no such document.
 */
export const inEveryLocale = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  { locale: _every, ...query }: RawQuery,
  action: PublicationAction,
): Promise<readonly Done[] | null> =>
  context.services.inUnit(async (services) => {
    const opened = await openDocument(services.database, type, documentId, OWN);
    if (!opened) return null;
    const start = type.draftAndPublish && action === publish ? "draft" : "published";
    const done: Done[] = [];
    for (const { locale } of opened.versions.filter(({ status }) => status === start)) {
      const each = await action({ ...context, services }, type, documentId, { ...query, locale });
      if (each) done.push(each);
    }
    return done;
  });
