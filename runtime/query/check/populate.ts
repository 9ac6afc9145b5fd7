/** Populate in all its forms: `*`, lists, dotted paths and nested objects. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Populate, AnyStatus } from "../query.ts";
import type { Member, Owner } from "../schema.ts";
import { booleanWord, type CheckContext, isAttribute } from "./context.ts";
import { below, forbiddenKey, type Place, unknownKey } from "./place.ts";
import { isOpen, PathTree, pathsOf } from "./populate-paths.ts";
import { Selected, type SelectedOptions } from "./selected.ts";

/** State that is passed down through nested populates. */
export interface Descent {
  readonly context: CheckContext;
  readonly status: AnyStatus;
  readonly depth: number;
  /** The number of to-many relations on the path. */
  readonly steps: number;
  /** Checks one attribute. Passed along because an attribute's options may contain any form of populate again. */
  readonly checkEntry: CheckEntry;
}

/** Checks one attribute of `owner`. Returns nothing if the caller may not see what it leads to. */
export type CheckEntry = (descent: Descent, owner: Owner, member: Member, value: unknown, place: Place) => Populate[];

const wrongType = (): ValidationError =>
  new ValidationError("Invalid populate parameter. Expected a string, an array of strings, a populate object");

/** Checks a populate parameter on `owner`. Relations to types that the caller may not read are skipped. */
export const checkPopulate = (descent: Descent, owner: Owner, raw: unknown, place: Place): Populate[] => {
  if (raw === undefined || raw === null || raw === "") return [];
  if (raw === "*") return everything(descent, owner, place);
  if (typeof raw === "string") return checkPaths(descent, owner, [raw], place);
  if (Array.isArray(raw)) {
    if (!raw.every((entry) => typeof entry === "string")) throw wrongType();
    return checkPaths(descent, owner, raw, place);
  }
  if (isRecord(raw)) return checkRecord(descent, owner, raw, place);
  throw wrongType();
};

/** Whether a member can be populated: a relation, component or zone that is not hidden. */
export const isPopulatable = (member: Member): boolean =>
  !member.hidden && member.kind !== "scalar" && member.kind !== "absent";

const everything = (descent: Descent, owner: Owner, place: Place): Populate[] =>
  [...owner.members.values()]
    .filter((member) => isPopulatable(member) && !member.secret && descent.context.mayList(owner, member))
    .flatMap((member) => descent.checkEntry(descent, owner, member, true, below(place, member.name)));

/** Checks every path. A path that passes a relation which the caller may not follow is skipped as a whole. */
const checkPaths = (descent: Descent, owner: Owner, raw: readonly string[], { param }: Place): Populate[] => {
  const { context } = descent;
  const start: Place = { param, path: null };
  const paths = pathsOf(raw);
  const checked = checkTree(descent, owner, new PathTree(paths), start);
  const open = paths.filter((path) => isOpen(context.schema, (member) => context.mayFollow(member), owner, path));
  return open.length === paths.length ? checked : checkTree(descent, owner, new PathTree(open), start);
};

/** Dotted paths. The attributes on a path are populated too. Errors name the whole path. */
export const checkTree = (descent: Descent, owner: Owner, tree: PathTree, place: Place): Populate[] =>
  tree.entries().flatMap(([name, inner]) => {
    const member = owner.members.get(name);
    if (member === undefined || !isPopulatable(member) || (endsPaths(member) && !inner.empty)) {
      throw unknownKey(name, below(place, name));
    }
    if (!descent.context.mayList(owner, member)) return [];
    return descent.checkEntry(descent, owner, member, inner, below(place, name));
  });

/** Files and relations to any type cannot be followed by dotted paths. */
const endsPaths = (member: Member): boolean =>
  member.kind === "relation" && (member.media || member.target === undefined);

const checkRecord = (
  descent: Descent,
  owner: Owner,
  raw: Readonly<Record<string, unknown>>,
  place: Place,
): Populate[] => {
  const names = Object.keys(raw);
  if (names.length > 100 && names.every((name) => /^\d+$/.test(name))) {
    throw new ValidationError(`Too many populate entries (${names.length}). The maximum is 100`);
  }
  return names.flatMap((key) => {
    const given = raw[key];
    const selected = given instanceof Selected ? given : undefined;
    const name = selected?.attribute ?? key;
    const value = selected?.options ?? given;
    const member = owner.members.get(name);
    if (member === undefined && booleanWord(name) !== undefined) return [];
    if (member === undefined || !isAttribute(name)) throw unknownKey(name, place);
    if (!isPopulatable(member)) throw forbiddenKey(name, place);
    if (selected) return checkSelected(descent, owner, member, key, selected, below(place, name));
    const wanted = booleanWord(value);
    if (wanted === false || !descent.context.mayList(owner, member)) return [];
    return descent.checkEntry(descent, owner, member, wanted ?? value, below(place, name));
  });
};

/** The status that a query asks for: with anything but `published`, either version may be the newest. */
const ownStatus = (status: SelectedOptions["status"]): AnyStatus | undefined =>
  status === undefined || status === "published" ? status : "either";

/** Checks an entry from code: as other entries, but shown under its own key. */
const checkSelected = (
  descent: Descent,
  owner: Owner,
  member: Member,
  key: string,
  { options, window, status }: Selected,
  place: Place,
): Populate[] => {
  const inner: Descent = { ...descent, status: ownStatus(status) ?? descent.status };
  return inner.checkEntry(inner, owner, member, options, place).map((entry) => ({
    ...entry,
    ...(entry.kind === "relation" && entry.status === "either" ? { cohort: "newest" } : {}),
    ...(window ? { window } : {}),
    as: key,
  }));
};
