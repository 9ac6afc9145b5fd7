/** One populated attribute with its options. */
import type { Uid } from "../../content-type.ts";
import { ValidationError } from "../../errors.ts";
import type { Condition, Level, Populate, SortKey } from "../query.ts";
import type { ComponentMember, Member, Owner, RelationMember } from "../schema.ts";
import { booleanWord, isRecord, type Place, unknownKey } from "./context.ts";
import { checkFields, scalarNames } from "./fields.ts";
import { checkFilters } from "./filters.ts";
import { checkFragments } from "./populate-fragments.ts";
import { PathTree } from "./populate-paths.ts";
import { checkPopulate, checkTree, type Descent, isPopulatable } from "./populate.ts";
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
  const inner = { ...descent, depth: descent.depth + 1 };
  if (member.kind === "zone" || (member.kind === "relation" && member.target === undefined)) {
    return checkFragments(inner, owner, member, value, place);
  }
  if (member.kind === "component") {
    const target = context.schema.component(member.component);
    const options = checkOptions(inner, target, value, place);
    return [{ kind: "component", name: member.name, ...options }];
  }
  if (member.kind !== "relation" || member.target === undefined || !context.mayFollow(member)) return [];
  return [checkRelation(inner, owner, member, member.target, value, place)];
};

const checkRelation = (
  descent: Descent,
  owner: Owner,
  member: RelationMember | ComponentMember,
  uid: Uid,
  value: unknown,
  place: Place,
): Populate => {
  const { context } = descent;
  const target = context.schema.type(uid);
  const status = context.statusOf(owner, descent.status, uid, descent.status);
  const options = checkOptions({ ...descent, status }, target, value, place);
  const cohort = target.type.draftAndPublish ? context.cohort : undefined;
  return { kind: "relation", name: member.name, target: uid, status, cohort, ...options };
};

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

const KEYS = new Set(["fields", "filters", "sort", "populate", "count", "ordering"]);

/** Checks the options of what leads to `target`: an attribute, or one component or type of a fragment. */
export const checkOptions = (descent: Descent, target: Owner, value: unknown, place: Place): Options => {
  if (value === true) return options(descent, target, {}, place);
  if (value instanceof PathTree) {
    const level = { uid: target.uid, fields: scalarNames(target), populate: checkTree(descent, target, value, place) };
    return { level, filters: undefined, sort: [], count: false };
  }
  if (value === "*") refuseStar(target, place);
  if (typeof value === "string") return checkNames(descent, target, value, place);
  if (!isRecord(value)) {
    throw new ValidationError("Invalid populate parameter. Expected a string, an array of strings, a populate object");
  }
  for (const key of Object.keys(value)) {
    if (KEYS.has(key)) continue;
    if (key === "on") refuseFragments(value[key], place);
    throw unknownKey(key, target.members.has(key) ? { ...place, path: `${place.path}.${key}` } : place);
  }
  return options(descent, target, value, place);
};

/** `populate[author]=profile`: names to populate below. */
const checkNames = (descent: Descent, target: Owner, value: string, place: Place): Options => {
  for (const name of value.split(",").map((part) => part.trim().split(".")[0] ?? "")) {
    if (value !== "*" && !target.members.has(name)) throw unknownKey(name, place);
  }
  return options(descent, target, value === "*" ? {} : { populate: value }, place);
};

/** `populate[author]=*` is refused where there is something to populate below: `populate[author][populate]=*` says it. */
const refuseStar = (target: Owner, { path }: Place): void => {
  const first = [...target.members.values()].find(isPopulatable);
  if (first === undefined) return;
  const at = `${path}.${first.name}`;
  throw new ValidationError(`Invalid key ${first.name} at ${at}`, { key: first.name, path: at });
};

const refuseFragments = (value: unknown, { path, param }: Place): void => {
  const [uid] = isRecord(value) ? Object.keys(value) : [];
  if (uid !== undefined) throw unknownKey(uid, { param, path: `${path}.on.${uid}` });
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
      populate: checkPopulate(descent, target, raw["populate"], place),
    },
    filters: raw["filters"] === undefined ? undefined : checkFilters(context, target, raw["filters"], fresh, status),
    sort,
    count: checkCount(raw["count"]),
  };
};

/** `count` takes the words for yes and no. */
export const checkCount = (raw: unknown): boolean => {
  const wanted = raw === undefined ? false : booleanWord(raw);
  if (wanted === undefined) throw new ValidationError("Invalid count parameter. Expected true or false");
  return wanted;
};
