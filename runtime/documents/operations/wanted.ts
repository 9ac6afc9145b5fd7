/** A write as it is requested, and the hooks before and after it. */
import { system } from "../../access/caller.ts";
import type { RawQuery } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { checkKeys } from "../body/keys.ts";
import type { WriteHooks } from "../hooks.ts";
import { changeOf, type Done, eventOf, type OperationContext, type OperationRequest, type Task } from "./context.ts";

/** The status to write; only `published` publishes. */
export const statusOf = (type: ContentType, { status }: RawQuery): Status =>
  type.draftAndPublish && status !== undefined && status !== "published" ? "draft" : "published";

/** A requested write, before any hook has run. */
export interface Wanted extends OperationRequest {
  readonly type: ContentType;
  /** The documentId; undefined for a new document. */
  readonly known: string | undefined;
  readonly locale: string | null;
  readonly status: Status;
  readonly publishes: boolean;
  readonly unpublishes: boolean;
}

/** Runs the hooks before a write, and returns the write as they have changed it. */
export const prepared = async (context: OperationContext, hooks: WriteHooks, wanted: Wanted): Promise<Wanted> => {
  const { type, known, data, locale, status, publishes, unpublishes } = wanted;
  const event = eventOf(context, type, locale);
  const before = { ...event, documentId: known, data, status };
  const replaced = await (known === undefined ? hooks.beforeCreate?.(before) : hooks.beforeUpdate?.(before));
  if (replaced) checkKeys({ services: context.services, caller: system }, type, replaced);
  if (publishes) await hooks.beforePublish?.({ ...event, documentId: known });
  if (unpublishes && known !== undefined) await hooks.beforeUnpublish?.({ ...event, documentId: known });
  return replaced ? { ...wanted, data: replaced } : wanted;
};

/** The tasks after a write, in their order; none without hooks. */
export const follow = (
  context: OperationContext,
  hooks: WriteHooks,
  wanted: Wanted,
  { documentId, plan }: Done,
): Task[] => {
  if (!hooks.afterCreate && !hooks.afterUpdate && !hooks.afterPublish && !hooks.afterUnpublish) return [];
  const { type, known, locale, status, publishes, unpublishes } = wanted;
  const about = { ...eventOf(context, type, locale), documentId, status };
  const after = (before: Status) => ({ ...about, ...changeOf(context, plan, before) });
  return [
    () => (known === undefined ? hooks.afterCreate?.(after("draft")) : hooks.afterUpdate?.(after("draft"))),
    () => (publishes ? hooks.afterPublish?.(after("published")) : undefined),
    () => (unpublishes ? hooks.afterUnpublish?.(after("published")) : undefined),
  ];
};
