/** The options of a populated attribute: `fields`, `filters`, `sort`, `populate` and `count`. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Populate, QueryPath } from "../query.ts";
import { booleanWord, isAttribute } from "./context.ts";
import { checkFields, scalarNames } from "./fields.ts";
import { checkFilters } from "./filters.ts";
import { PathTree } from "./populate-paths.ts";
import { checkPopulate, checkTree, type Descent } from "./populate.ts";
import { below, unknownKey } from "./position.ts";
import { checkSort } from "./sort.ts";

const FILE = "plugin::upload.file";
const KEYS = new Set(["fields", "filters", "sort", "populate", "count"]);

/** Checks the options of a populated attribute, or of one component or type under `on`; `at` is what it leads to. */
export const checkOptions = (at: Descent, value: unknown): ReturnType<typeof options> => {
  const { owner } = at;
  if (value === true) return options(at, {});
  if (value instanceof PathTree) {
    const level = { uid: owner.uid, fields: scalarNames(owner), populate: checkTree(at, value) };
    return { level, filters: undefined, sort: [], count: false };
  }
  if (value === "*") {
    refuseStar(at);
    return options(at, {});
  }
  const name = Array.isArray(value) && value.every((item) => typeof item === "string") ? value[0] : value;
  if (typeof name === "string") throw misplaced(name.split(".")[0] ?? "", at);
  if (!isRecord(value)) throw new ValidationError("Invalid nested populate. Expected '*' or an object");
  for (const key of Object.keys(value)) {
    if (KEYS.has(key) || booleanWord(key) !== undefined) continue;
    if (key === "on") refuseFragments(value[key], at);
    throw misplaced(key, at);
  }
  return options(at, value);
};

/**
 * The error for an attribute name where an option is expected: `populate[author]=profile`,
 * `populate[author][profile]=true`.
 */
const misplaced = (name: string, at: Descent): ValidationError =>
  unknownKey(name, at.owner.members.has(name) && isAttribute(name) ? below(at, name) : at);

/**
 * Refuses `populate[author]=*` if the target has something to populate: `populate[author][populate]=*` is the right
 * form. For files it means `true`, since nobody means to populate everything that refers to a file.
 */
const refuseStar = ({ owner, path }: Descent): void => {
  if (owner.uid === FILE) return;
  const first = [...owner.members.values()].find(({ kind, hidden }) => kind !== "scalar" && !hidden);
  if (first === undefined) return;
  const at = `${path}.${first.name}`;
  throw new ValidationError(`Invalid key ${first.name} at ${at}`, { key: first.name, path: at });
};

/** Refuses `on` for a relation whose target type is fixed. */
const refuseFragments = (value: unknown, place: QueryPath): never => {
  const at = below(place, "on");
  const [uid] = isRecord(value) ? Object.keys(value) : [];
  throw uid === undefined ? unknownKey("on", at) : unknownKey(uid, below(at, uid));
};

/** Checks the options. Paths in errors of filters and sort begin at the target. */
const options = (at: Descent, raw: Readonly<Record<string, unknown>>) => {
  const { owner } = at;
  const fresh = { ...at, path: null, steps: 0 };
  const sort = checkSort(fresh, raw["sort"]);
  const fields = checkFields(fresh, raw["fields"], sort);
  return {
    level: { uid: owner.uid, fields, populate: checkNested(at, raw["populate"]) },
    filters: raw["filters"] === undefined ? undefined : checkFilters(fresh, raw["filters"]),
    sort,
    count: checkCount(raw["count"], at),
  };
};

/** Checks a nested populate. Within an attribute's options, names must be a list and not a string. */
const checkNested = (at: Descent, raw: unknown): Populate[] => {
  const populate = checkPopulate(at, raw);
  const entries: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  for (const entry of entries) {
    if (typeof entry !== "string" || entry === "*") continue;
    const [name = ""] = entry.split(".");
    if (!at.owner.members.has(name.trim())) throw unknownKey(name, at);
  }
  return populate;
};

/** The value of `count`, which accepts the words for booleans. */
export const checkCount = (raw: unknown, place: QueryPath): boolean => {
  const wanted = raw === undefined ? false : booleanWord(raw);
  if (wanted === undefined) throw unknownKey("count", place);
  return wanted;
};
