/** Runs the hooks around reading. Nothing here is called for clients of a project without such hooks. */
import type { Caller } from "../access/caller.ts";
import { ValidationError } from "../base/errors.ts";
import { isRecord } from "../base/is-record.ts";
import { type Change, changeRows, type RawQuery, type RowSet, Trusted } from "../query/index.ts";
import type { ContentType, Uid } from "../schema/content-type.ts";
import { reachableFrom } from "../schema/reachable.ts";
import type { Registry } from "../schema/registry.ts";
import { isUid } from "../schema/uid.ts";
import type { Hooks, HookServices } from "./hooks.ts";

/** The hooks around reading, by type. */
export interface ReadHooks {
  /** Restrict what clients read of a type. */
  readonly before: ReadonlyMap<Uid, NonNullable<Hooks["beforeRead"]>>;
  /** Change what clients see of documents of a type. */
  readonly after: ReadonlyMap<Uid, NonNullable<Hooks["afterRead"]>>;
  /** Types whose responses hooks may affect: those with hooks, and those that can show documents of such types. */
  readonly concerned: ReadonlySet<Uid>;
}

/** The hooks that run when clients read; undefined if there are none, so that reads can skip all further checks. */
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

/** The context of a read by a client. */
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

/**
 * The filters that a hook adds to a query.
 *
 * @throws ValidationError if `filters` is present but undefined, for example because it depends on a user and nobody is
 * logged in: ignoring it would show all documents
 */
export const addedFilters = (added: object): RawQuery => {
  if (!Object.hasOwn(added, "filters")) return {};
  const filters: unknown = Reflect.get(added, "filters");
  if (!isRecord(filters)) throw new ValidationError("filters added to a query must be an object; use {} for none");
  return { filters: new Trusted(filters) };
};

/** Runs the hook before a read of a type; returns the query parameters that it adds. */
export const limitsOf = async (context: ReaderContext, { uid }: ContentType): Promise<RawQuery> => {
  const hook = context.services.readHooks?.before.get(uid);
  return addedFilters((await hook?.(eventOf(context, uid))) ?? {});
};

/** The client's query, combined with the filters of the hook. */
export const limited = (query: RawQuery, { filters }: RawQuery): RawQuery => {
  if (filters === undefined) return query;
  const own = query["filters"];
  return { ...query, filters: { $and: own === undefined || own === null ? [filters] : [own, filters] } };
};

/** The rows as hooks changed them. Do not call it in a transaction, since hooks may query the database. */
export const shown = (context: ReaderContext, set: RowSet): RowSet | Promise<RowSet> => {
  const after = context.services.readHooks?.after;
  if (after === undefined || after.size === 0 || set.rows.length === 0) return set;
  return changeRows(set, (uid): Change | undefined => {
    const hook = after.get(uid);
    if (hook === undefined) return undefined;
    return (document) => hook({ ...eventOf(context, uid), document });
  });
};
