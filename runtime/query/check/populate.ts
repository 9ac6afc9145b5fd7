/** Populate in all its forms: `*`, lists, dotted paths and nested objects. */
import { ValidationError } from "../../errors.ts";
import type { Populate, Status } from "../query.ts";
import type { Member, Owner } from "../schema.ts";
import { below, booleanWord, type CheckContext, forbiddenKey, isRecord, type Place, unknownKey } from "./context.ts";
import { checkEntry } from "./populate-entry.ts";
import { PathTree } from "./populate-paths.ts";
import { NEWEST, Selected } from "./selected.ts";

/** What is handed down through nested populates. */
export interface Descent {
  readonly context: CheckContext;
  readonly status: Status;
  readonly depth: number;
}

const wrongType = (): ValidationError =>
  new ValidationError("Invalid populate parameter. Expected a string, an array of strings, a populate object");

/** Checks a populate parameter on `owner`; relations that the caller may not find are left out. */
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

/** Whether a member is something to populate. */
export const isPopulatable = (member: Member): boolean =>
  !member.hidden && member.kind !== "scalar" && member.kind !== "absent";

const everything = (descent: Descent, owner: Owner, place: Place): Populate[] =>
  [...owner.members.values()]
    .filter(isPopulatable)
    .flatMap((member) => checkEntry(descent, owner, member, true, below(place, member.name)));

const checkPaths = (descent: Descent, owner: Owner, raw: readonly string[], place: Place): Populate[] => {
  const paths = raw.flatMap((entry) => entry.split(",").map((path) => path.trim()));
  const tree = new PathTree(paths);
  return checkTree(descent, owner, tree, place);
};

/** Dotted paths: the parents of a path are populated too. Their keys are blamed with the whole path. */
export const checkTree = (descent: Descent, owner: Owner, tree: PathTree, place: Place): Populate[] =>
  tree.entries().flatMap(([name, inner]) => {
    const member = owner.members.get(name);
    if (member === undefined || !isPopulatable(member)) throw unknownKey(name, below(place, name));
    return checkEntry(descent, owner, member, inner, below(place, name));
  });

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
    if (member === undefined) throw unknownKey(name, place);
    if (!isPopulatable(member)) throw forbiddenKey(name, place);
    if (selected) return checkSelected(descent, owner, member, key, selected, below(place, name));
    const wanted = booleanWord(value);
    if (wanted === false) return [];
    return checkEntry(descent, owner, member, wanted ?? value, below(place, name));
  });
};

/** An entry of code's: the same checks, shown under its own key. */
const checkSelected = (
  descent: Descent,
  owner: Owner,
  member: Member,
  key: string,
  { options, window, status }: Selected,
  place: Place,
): Populate[] => {
  const inner: Descent = { ...descent, status: status === NEWEST ? "either" : (status ?? descent.status) };
  return checkEntry(inner, owner, member, options, place).map((entry) => ({
    ...entry,
    ...(entry.kind === "relation" && entry.status === "either" ? { cohort: "newest" } : {}),
    ...(window ? { window } : {}),
    as: key,
  }));
};
