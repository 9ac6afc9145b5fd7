/** Code of the user's that runs when clients read documents, over REST and GraphQL. */
import type { Caller } from "../access/caller.ts";
import { ValidationError } from "../base/errors.ts";
import { isRecord } from "../base/is-record.ts";
import { type Change, changeRows, type RawQuery, type RowSet, Trusted } from "../query/index.ts";
import type { ContentType, Uid } from "../schema/content-type.ts";
import { reachableFrom } from "../schema/reachable.ts";
import type { Registry } from "../schema/registry.ts";
import { isUid } from "../schema/uid.ts";
import type { Hooks, HookServices } from "./hooks.ts";

/** The hooks by the uid of their type. */
export interface ReadHooks {
  readonly before: ReadonlyMap<Uid, NonNullable<Hooks["beforeRead"]>>;
  readonly after: ReadonlyMap<Uid, NonNullable<Hooks["afterRead"]>>;
  /** Types that a hook has a part in: its own, and those whose answers may show documents of it. */
  readonly concerned: ReadonlySet<Uid>;
}

/** Those of the hooks that run when clients read; undefined where there are none, so that reads need not ask further. */
export const readHooksIn = (hooks: Readonly<Record<Uid, Hooks>>, registry: Registry): ReadHooks | undefined => {
  const before: [Uid, NonNullable<Hooks["beforeRead"]>][] = [];
  const after: [Uid, NonNullable<Hooks["afterRead"]>][] = [];
  for (const [uid, { beforeRead, afterRead }] of Object.entries(hooks)) {
    if (!isUid(uid)) continue;
    if (beforeRead) before.push([uid, beforeRead]);
    if (afterRead) after.push([uid, afterRead]);
  }
  if (before.length + after.length === 0) return undefined;
  const found = { before: new Map(before), after: new Map(after) };
  const concerned = Object.values(registry.contentTypes)
    .map(({ type }) => type.uid)
    .filter(
      (uid) => found.before.has(uid) || [...reachableFrom(registry, uid)].some((shown) => found.after.has(shown)),
    );
  return { ...found, concerned: new Set(concerned) };
};

/** Who reads. */
export interface ReaderContext {
  readonly services: HookServices & { readonly readHooks?: ReadHooks | undefined };
  readonly caller: Caller;
}

const eventOf = ({ services, caller }: ReaderContext, uid: Uid) => ({
  uid,
  caller,
  documents: services.documents,
  services,
});

/** Whether a hook narrows what clients read of a type. */
export const isNarrowed = ({ readHooks }: ReaderContext["services"], { uid }: ContentType): boolean =>
  readHooks?.before.has(uid) === true;

/** Whether a hook has a part in what clients read of a type: its own, or one of a type that answers may show beside it. */
export const hasReadHooks = ({ readHooks }: ReaderContext["services"], { uid }: ContentType): boolean =>
  readHooks?.concerned.has(uid) === true;

/**
 * The filters that code of the application adds to a query, where there are any.
 *
 * @throws ValidationError for `filters` that are none, such as those of somebody who is not logged in: all would be shown
 */
export const addedFilters = (added: object): RawQuery => {
  if (!Object.hasOwn(added, "filters")) return {};
  const filters: unknown = Reflect.get(added, "filters");
  if (!isRecord(filters)) throw new ValidationError("filters that are added to a query must be an object, {} for none");
  return { filters: new Trusted(filters) };
};

/** Runs the hook before a read of documents of a type; what it adds to the query, where there is something. */
export const limitsOf = async (context: ReaderContext, { uid }: ContentType): Promise<RawQuery> => {
  const hook = context.services.readHooks?.before.get(uid);
  return addedFilters((await hook?.(eventOf(context, uid))) ?? {});
};

/** The query of a client, which finds only what `limits` let through. */
export const limited = (query: RawQuery, { filters }: RawQuery): RawQuery => {
  if (filters === undefined) return query;
  const own = query["filters"];
  return { ...query, filters: { $and: own === undefined || own === null ? [filters] : [own, filters] } };
};

/** Rows as clients are shown them. Not to be called in a transaction, for hooks may ask the database. */
export const shown = (context: ReaderContext, set: RowSet): RowSet | Promise<RowSet> => {
  const after = context.services.readHooks?.after;
  if (after === undefined || after.size === 0 || set.rows.length === 0) return set;
  return changeRows(set, (uid): Change | undefined => {
    const hook = after.get(uid);
    if (hook === undefined) return undefined;
    return (document) => hook({ ...eventOf(context, uid), document });
  });
};
