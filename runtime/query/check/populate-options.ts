/** The options of a populated attribute: `fields`, `filters`, `sort`, `populate` and `count`. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Condition, Level, Populate, SortKey } from "../query.ts";
import type { Owner } from "../schema.ts";
import { booleanWord, isAttribute } from "./context.ts";
import { checkFields, scalarNames } from "./fields.ts";
import { checkFilters } from "./filters.ts";
import { below, type Place, unknownKey } from "./place.ts";
import { PathTree } from "./populate-paths.ts";
import { checkPopulate, checkTree, type Descent } from "./populate.ts";
import { checkSort } from "./sort.ts";

interface Options {
  readonly level: Level;
  readonly filters: Condition | undefined;
  readonly sort: readonly SortKey[];
  readonly count: boolean;
}

const FILE = "plugin::upload.file";
const KEYS = new Set(["fields", "filters", "sort", "populate", "count"]);

/** Checks the options of a populated attribute on `target`, or of one component or type under `on`. */
export const checkOptions = (descent: Descent, target: Owner, value: unknown, place: Place): Options => {
  if (value === true) return options(descent, target, {}, place);
  if (value instanceof PathTree) {
    const level = { uid: target.uid, fields: scalarNames(target), populate: checkTree(descent, target, value, place) };
    return { level, filters: undefined, sort: [], count: false };
  }
  if (value === "*") refuseStar(target, place);
  const name = Array.isArray(value) && value.every((item) => typeof item === "string") ? value[0] : value;
  if (typeof name === "string" && value !== "*") throw misplaced(name.split(".")[0] ?? "", target, place);
  if (value !== "*" && !isRecord(value)) {
    throw new ValidationError("Invalid nested populate. Expected '*' or an object");
  }
  const given = value === "*" ? {} : value;
  for (const key of Object.keys(given)) {
    if (KEYS.has(key) || booleanWord(key) !== undefined) continue;
    if (key === "on") refuseFragments(given[key], place);
    throw misplaced(key, target, place);
  }
  return options(descent, target, given, place);
};

/**
 * The error for an attribute name where an option is expected: `populate[author]=profile`,
 * `populate[author][profile]=true`.
 */
const misplaced = (name: string, target: Owner, place: Place): ValidationError =>
  unknownKey(name, target.members.has(name) && isAttribute(name) ? below(place, name) : place);

/**
 * `populate[author]=*` is refused if the target has something to populate: `populate[author][populate]=*` is the right
 * form. For files it means `true`, since populating everything that refers to a file is never intended.
 */
const refuseStar = (target: Owner, { path }: Place): void => {
  if (target.uid === FILE) return;
  const first = [...target.members.values()].find(({ kind, hidden }) => kind !== "scalar" && !hidden);
  if (first === undefined) return;
  const at = `${path}.${first.name}`;
  throw new ValidationError(`Invalid key ${first.name} at ${at}`, { key: first.name, path: at });
};

/** Refuses `on` for a relation whose target type is fixed. */
const refuseFragments = (value: unknown, place: Place): never => {
  const at = below(place, "on");
  const [uid] = isRecord(value) ? Object.keys(value) : [];
  throw uid === undefined ? unknownKey("on", at) : unknownKey(uid, below(at, uid));
};

/** Checks the options. Paths in filters and sort errors begin at the target. */
const options = (descent: Descent, target: Owner, raw: Readonly<Record<string, unknown>>, place: Place): Options => {
  const { context, status } = descent;
  const fresh: Place = { param: place.param, path: null };
  const sort = checkSort(context, target, raw["sort"], fresh, status);
  return {
    level: {
      uid: target.uid,
      fields: checkFields(target, raw["fields"], fresh, sort),
      populate: checkNested(descent, target, raw["populate"], place),
    },
    filters: raw["filters"] === undefined ? undefined : checkFilters(context, target, raw["filters"], fresh, status),
    sort,
    count: checkCount(raw["count"], place),
  };
};

/** Checks a nested populate. Within an attribute's options, names must be a list and not a string. */
const checkNested = (descent: Descent, target: Owner, raw: unknown, place: Place): Populate[] => {
  const populate = checkPopulate(descent, target, raw, place);
  const entries: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  for (const entry of entries) {
    if (typeof entry !== "string" || entry === "*") continue;
    const [name = ""] = entry.split(".");
    if (!target.members.has(name.trim())) throw unknownKey(name, place);
  }
  return populate;
};

/** The value of `count`, which takes the words for booleans. */
export const checkCount = (raw: unknown, place: Place): boolean => {
  const wanted = raw === undefined ? false : booleanWord(raw);
  if (wanted === undefined) throw unknownKey("count", place);
  return wanted;
};
