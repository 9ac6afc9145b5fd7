/** One populated attribute with its options. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Uid } from "../../schema/content-type.ts";
import type { Condition, Level, Populate, SortKey } from "../query.ts";
import type { Member, Owner, RelationMember } from "../schema.ts";
import { booleanWord, isAttribute } from "./context.ts";
import { checkFields, scalarNames } from "./fields.ts";
import { checkFilters } from "./filters.ts";
import { below, type Place, unknownKey } from "./place.ts";
import { checkFragments } from "./populate-fragments.ts";
import { PathTree } from "./populate-paths.ts";
import { checkPopulate, checkTree, type Descent } from "./populate.ts";
import { behindMany } from "./query-size.ts";
import { checkSort } from "./sort.ts";

/** Checks one attribute of `owner`. The result is empty when the caller may not see what it leads to. */
export const checkEntry = (
  descent: Descent,
  owner: Owner,
  member: Member,
  value: unknown,
  place: Place,
): Populate[] => {
  const { context } = descent;
  grow(descent);
  const leadsToMany = member.kind === "relation" && member.many && !member.media;
  const steps = leadsToMany ? stepsBehind(descent, place) : descent.steps;
  const inner = { ...descent, depth: descent.depth + 1, steps };
  if (member.kind === "zone" || (member.kind === "relation" && member.target === undefined)) {
    return checkFragments(inner, owner, member, value, place);
  }
  if (member.kind === "component") {
    const target = context.schema.component(member.component);
    const options = checkOptions(inner, target, value, place);
    return [{ kind: "component", name: member.name, ...options }];
  }
  if (member.kind !== "relation" || member.target === undefined) return [];
  const relation = checkRelation(inner, owner, member, member.target, value, place);
  return context.mayFollow(member) ? [relation] : [];
};

const stepsBehind = ({ context, steps }: Descent, place: Place): number =>
  behindMany(context.limits, { ...place, steps }).steps ?? 0;

const checkRelation = (
  descent: Descent,
  owner: Owner,
  member: RelationMember,
  uid: Uid,
  value: unknown,
  place: Place,
): Populate => {
  const { context } = descent;
  const target = context.schema.type(uid);
  const status = context.statusOf(owner, descent.status, uid, descent.status);
  const options = checkOptions({ ...descent, status }, target, value, place);
  const cohort = context.cohortOf(target.type);
  const count = options.count && isCounted(member);
  return { kind: "relation", name: member.name, target: uid, status, cohort, ...options, count };
};

/** Files, localizations and what points here from a relation to any type are listed where they should be counted. */
const isCounted = ({ source }: RelationMember): boolean => source.type === "relation" && !("morphBy" in source);

const grow = ({ context, depth }: Descent): void => {
  const { populateDepth } = context.config.rest;
  if (depth >= populateDepth) {
    throw new ValidationError(`Invalid populate parameter. It nests deeper than ${populateDepth} levels`);
  }
  context.grow();
};

interface Options {
  readonly level: Level;
  readonly filters: Condition | undefined;
  readonly sort: readonly SortKey[];
  readonly count: boolean;
}

const KEYS = new Set(["fields", "filters", "sort", "populate", "count"]);

/** Checks the options of what leads to `target`: an attribute, or one component or type of a fragment. */
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

/** A name that stands where an option is expected: `populate[author]=profile`, `populate[author][profile]=true`. */
const misplaced = (name: string, target: Owner, place: Place): ValidationError =>
  unknownKey(name, target.members.has(name) && isAttribute(name) ? below(place, name) : place);

/** `populate[author]=*` is refused where there is something to populate below: `populate[author][populate]=*` says it. */
const refuseStar = (target: Owner, { path }: Place): void => {
  const first = [...target.members.values()].find(({ kind, hidden }) => kind !== "scalar" && !hidden);
  if (first === undefined) return;
  const at = `${path}.${first.name}`;
  throw new ValidationError(`Invalid key ${first.name} at ${at}`, { key: first.name, path: at });
};

/** `on` says what stands behind a relation to any type; here the target is known. */
const refuseFragments = (value: unknown, place: Place): never => {
  const at = below(place, "on");
  const [uid] = isRecord(value) ? Object.keys(value) : [];
  throw uid === undefined ? unknownKey("on", at) : unknownKey(uid, below(at, uid));
};

/** Filters and sort are checked from the target on, so their paths begin there. */
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

/** Below an attribute, a name in a string of names is refused: there they stand in a list. */
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

/** `count` takes the words for yes and no. */
export const checkCount = (raw: unknown, place: Place): boolean => {
  const wanted = raw === undefined ? false : booleanWord(raw);
  if (wanted === undefined) throw unknownKey("count", place);
  return wanted;
};
