/** Populate in all its forms: `*`, lists, dotted paths and nested objects. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { AnyStatus, Populate } from "../query.ts";
import type { Member } from "../schema.ts";
import { booleanWord, isAttribute, type Position } from "./context.ts";
import { isOpen, PathTree, pathsOf } from "./populate-paths.ts";
import { below, forbiddenKey, unknownKey } from "./position.ts";
import { Selected, type SelectedOptions } from "./selected.ts";

/** The position in nested populates. */
export interface Descent extends Position {
  readonly depth: number;
  /**
   * Checks one attribute. Passed as a parameter, because an attribute's options may contain any form of populate again.
   */
  readonly checkEntry: CheckEntry;
}

/** Checks one attribute of the owner at a position. Returns nothing if the caller may not see what it leads to. */
export type CheckEntry = (at: Descent, member: Member, value: unknown) => Populate[];

const wrongType = (): ValidationError =>
  new ValidationError("Invalid populate parameter. Expected a string, an array of strings, a populate object");

/** Checks a populate parameter. Relations to types that the caller may not read are skipped. */
export const checkPopulate = (at: Descent, raw: unknown): Populate[] => {
  if (raw === undefined || raw === null || raw === "") return [];
  if (raw === "*") return everything(at);
  if (typeof raw === "string") return checkPaths(at, [raw]);
  if (Array.isArray(raw)) {
    if (!raw.every((entry) => typeof entry === "string")) throw wrongType();
    return checkPaths(at, raw);
  }
  if (isRecord(raw)) return checkRecord(at, raw);
  throw wrongType();
};

/** Whether a member can be populated: a relation, component or zone that is not hidden. */
export const isPopulatable = (member: Member): boolean =>
  !member.hidden && member.kind !== "scalar" && member.kind !== "absent";

const everything = (at: Descent): Populate[] =>
  [...at.owner.members.values()]
    .filter((member) => isPopulatable(member) && !member.secret && at.context.mayList(at.owner, member))
    .flatMap((member) => at.checkEntry(at, member, true));

/** Checks every path. Skips a path as a whole if it passes a relation that the caller may not follow. */
const checkPaths = (at: Descent, raw: readonly string[]): Populate[] => {
  const { context, owner } = at;
  const start = { ...at, path: null };
  const paths = pathsOf(raw);
  const checked = checkTree(start, new PathTree(paths));
  const open = paths.filter((path) => isOpen(context.schema, (member) => context.mayFollow(member), owner, path));
  return open.length === paths.length ? checked : checkTree(start, new PathTree(open));
};

/** Dotted paths. They also populate the attributes along the way. Errors name the whole path. */
export const checkTree = (at: Descent, tree: PathTree): Populate[] =>
  tree.entries().flatMap(([name, inner]) => {
    const member = at.owner.members.get(name);
    if (member === undefined || !isPopulatable(member) || (endsPaths(member) && !inner.empty)) {
      throw unknownKey(name, below(at, name));
    }
    return at.context.mayList(at.owner, member) ? at.checkEntry(at, member, inner) : [];
  });

/** Dotted paths cannot follow files and relations to any type. */
const endsPaths = (member: Member): boolean =>
  member.kind === "relation" && (member.media || member.target === undefined);

const checkRecord = (at: Descent, raw: Readonly<Record<string, unknown>>): Populate[] => {
  const names = Object.keys(raw);
  if (names.length > 100 && names.every((name) => /^\d+$/.test(name))) {
    throw new ValidationError(`Too many populate entries (${names.length}). The maximum is 100`);
  }
  return names.flatMap((key) => {
    const given = raw[key];
    const selected = given instanceof Selected ? given : undefined;
    const name = selected?.attribute ?? key;
    const member = at.owner.members.get(name);
    if (member === undefined && booleanWord(name) !== undefined) return [];
    if (member === undefined || !isAttribute(name)) throw unknownKey(name, at);
    if (!isPopulatable(member)) throw forbiddenKey(name, at);
    if (selected) return checkSelected(at, member, key, selected);
    const wanted = booleanWord(given);
    if (wanted === false || !at.context.mayList(at.owner, member)) return [];
    return at.checkEntry(at, member, wanted ?? given);
  });
};

/** The status that a query asks for: with anything but `published`, either version may be the newest. */
const ownStatus = (status: SelectedOptions["status"]): AnyStatus | undefined =>
  status === undefined || status === "published" ? status : "either";

/** Checks an entry from code: like other entries, but shown under its own key. */
const checkSelected = (at: Descent, member: Member, key: string, { options, window, status }: Selected): Populate[] =>
  at.checkEntry({ ...at, status: ownStatus(status) ?? at.status }, member, options).map((entry) => ({
    ...entry,
    ...(entry.kind === "relation" && entry.status === "either" ? { cohort: "newest" } : {}),
    ...(window ? { window } : {}),
    as: key,
  }));
