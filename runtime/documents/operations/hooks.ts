/** Runs hooks around writes, and supplies the documents that they get. */
import { system } from "../../access/caller.ts";
import { decoderOf, type ReadServices } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { attributesOf, isScalar } from "../attributes.ts";
import type { HookedDocument, Hooks, WriteHooks } from "../hooks.ts";
import type { Plan } from "../plan/plan.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";
import type { OperationContext, OperationServices, Task } from "./context.ts";
import { isHidden } from "./guard.ts";

/** The hooks of one content type. */
export const hooksOf = ({ hooks }: OperationServices, { uid }: ContentType): Hooks => hooks[uid] ?? {};

/** Runs tasks after a commit. Errors are logged. */
export const runTasks = async ({ log }: Pick<OperationServices, "log">, tasks: readonly Task[]): Promise<void> => {
  for (const task of tasks) {
    try {
      await task();
    } catch (error) {
      log.error({ err: error }, "a hook failed after a write");
    }
  }
};

/**
 * Schedules what follows changes of a type: the work for built-in types, and the tasks of hooks. They run outside the
 * transaction of the changes, with the services of the context that `tasksOf` is given.
 */
export const follow = async (
  context: OperationContext,
  { uid }: ContentType,
  tasksOf: (context: OperationContext) => readonly Task[],
): Promise<void> => {
  const { unit, followUps, recorders } = context.services;
  const outside = unit ? { ...context, services: unit.outside } : context;
  const tasks = [
    () => followUps[uid]?.committed(outside.services.database),
    ...recorders.map((recorder) => () => recorder.committed?.()),
    ...tasksOf(outside),
  ];
  if (unit) unit.afterwards(tasks);
  else await runTasks(context.services, tasks);
};

/** A change, and how the hooks of its type take part in it. */
interface Change<State, Result> {
  /** Runs the hooks before the change, which may alter what is to be changed. */
  before(context: OperationContext, hooks: WriteHooks, state: State): State | Promise<State>;
  /** Makes the change; returns nothing if there is nothing to change. */
  make(context: OperationContext, state: State): Promise<Result | null | undefined>;
  /** The tasks after it. */
  after(context: OperationContext, hooks: WriteHooks, state: State, result: Result): readonly Task[];
}

/**
 * Changes the document `documentId` (undefined for a new one), running the hooks of its type before and after. If some
 * hooks run in the transaction, begins one for the change and these hooks. Returns null if there was nothing to change.
 */
export const changeWithHooks = async <State, Result>(
  context: OperationContext,
  type: ContentType,
  documentId: string | undefined,
  { state: given, before, make, after }: Change<State, Result> & { readonly state: State },
): Promise<Result | null> => {
  if (documentId !== undefined && context.caller.rows && (await isHidden(context, type, documentId))) return null;
  const { services } = context;
  const hooks = hooksOf(services, type);
  const { inTransaction } = hooks;
  const state = await before(context, hooks, given);
  const within = async (inside: OperationContext, own: WriteHooks): Promise<Result | null> => {
    const changed = await before(inside, own, state);
    const made = await make(inside, changed);
    if (made) for (const task of after(inside, own, changed, made)) await task();
    return made ?? null;
  };
  const inUnit = (own: WriteHooks) => () => services.inUnit((inside) => within({ ...context, services: inside }, own));
  const run = inTransaction ? inUnit(inTransaction) : () => within(context, {});
  const isQueued = inTransaction && !services.unit && documentId !== undefined;
  const result = await (isQueued ? services.writeQueue.run([documentId], run) : run());
  if (result) await follow(context, type, (outside) => after(outside, hooks, state, result));
  return result;
};

/** The event for a write's hooks. For hooks after it, call this with the context that {@link follow} gives. */
export const eventOf = ({ services, caller, by }: OperationContext, type: ContentType, locale: string | null) => ({
  uid: type.uid,
  caller: by ?? caller,
  locale,
  documents: services.documents,
  services,
});

/** The document after a write, and as it was in `status` before. */
export const changeOf = ({ services }: OperationContext, { type, version, before }: Plan, status: Status) => {
  const previous = versionIn(type, before, status);
  return {
    document: hookedDocument(services, type, version),
    previous: previous ? hookedDocument(services, type, previous) : null,
  };
};

/**
 * A version as the document service returns it without `populate`; without the row's id, which is unknown for a version
 * just inserted.
 */
export const hookedDocument = (
  { queries }: Pick<ReadServices, "queries">,
  type: ContentType,
  { documentId, createdAt, updatedAt, publishedAt, locale, values }: Version,
): HookedDocument => {
  const instant = decoderOf("datetime");
  const own = attributesOf(type).flatMap(([name, attribute]): [string, unknown][] =>
    isScalar(attribute) ? [[name, decoderOf(attribute.type)(values[name] ?? null)]] : [],
  );
  const all: readonly [string, unknown][] = [
    ["documentId", documentId],
    ...own,
    ["createdAt", instant(createdAt)],
    ["updatedAt", instant(updatedAt)],
    ["publishedAt", instant(publishedAt)],
    ["locale", locale],
  ];
  return Object.fromEntries(all.filter(([name]) => queries.shows(system, type, name)));
};

/** Among versions in one locale, the one in `status`; for a type without drafts, the only one. */
export const versionIn = (
  { draftAndPublish }: ContentType,
  versions: readonly LoadedVersion[],
  status: Status,
): LoadedVersion | undefined => versions.find((version) => version.status === (draftAndPublish ? status : "published"));
