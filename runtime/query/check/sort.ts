/** Sort: strings, lists, objects and lists of objects, with keys that end in a scalar. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { SortKey, SortStep, AnyStatus } from "../query.ts";
import type { Member, Owner } from "../schema.ts";
import { type CheckContext } from "./context.ts";
import { below, forbiddenKey, type Place, unknownKey } from "./place.ts";

const wrongType = (): ValidationError =>
  new ValidationError(
    "Invalid sort parameter. Expected a string, an array of strings, a sort object or an array of sort objects",
  );

/** Checks a whole sort parameter; without entries, or with empty ones only, there is no order. */
export const checkSort = (
  context: CheckContext,
  owner: Owner,
  raw: unknown,
  place: Place,
  status: AnyStatus,
): SortKey[] => {
  if (raw === undefined || raw === null) return [];
  if (typeof raw === "string")
    return raw.split(",").flatMap((entry) => checkEntry(context, owner, entry, place, status));
  if (Array.isArray(raw)) return checkList(context, owner, raw, place, status);
  if (isRecord(raw)) return checkObject(context, owner, raw, [], place, status);
  throw wrongType();
};

const checkList = (
  context: CheckContext,
  owner: Owner,
  raw: readonly unknown[],
  place: Place,
  status: AnyStatus,
): SortKey[] => {
  const entries = raw.filter((entry) => entry !== null);
  if (entries.every((entry) => typeof entry === "string")) {
    return entries.flatMap((entry) => checkSort(context, owner, entry, place, status));
  }
  if (entries.every(isRecord)) return entries.flatMap((entry) => checkObject(context, owner, entry, [], place, status));
  if (entries.some((entry) => typeof entry !== "string" && !isRecord(entry))) throw wrongType();
  throw unknownKey("0", place);
};

/** Checks one entry, such as `category.name:desc`. */
const checkEntry = (context: CheckContext, owner: Owner, entry: string, place: Place, status: AnyStatus): SortKey[] => {
  const [name = "", order] = entry.trim().split(":");
  if (name === "") return [];
  context.size.sortBy(place);
  const path = name.split(".");
  if (path.some((part) => part in Object.prototype)) throw new ValidationError("Invalid sort query");
  const steps = checkPath(context, owner, path, place, status, order);
  return [{ path: steps, descending: checkOrder(order?.trim() ?? "asc") }];
};

const checkObject = (
  context: CheckContext,
  owner: Owner,
  raw: Readonly<Record<string, unknown>>,
  path: readonly string[],
  place: Place,
  status: AnyStatus,
): SortKey[] =>
  Object.entries(raw).flatMap(([name, value]) => {
    const deeper = [...path, ...name.split(".")];
    if (isRecord(value)) {
      checkPath(context, owner, deeper, place, status, "", false);
      return checkObject(context, owner, value, deeper, place, status);
    }
    context.size.sortBy(place);
    const order = typeof value === "string" ? value.trim() : value;
    const steps = checkPath(context, owner, deeper, place, status, order);
    // A name without an order is ignored.
    return order === "" || order === null ? [] : [{ path: steps, descending: checkOrder(order) }];
  });

const checkOrder = (order: unknown): boolean => {
  const word = typeof order === "string" ? order.toLowerCase() : "";
  if (word !== "asc" && word !== "desc") {
    throw new ValidationError("Invalid order. order can only be one of asc|desc|ASC|DESC");
  }
  return word === "desc";
};

/**
 * Checks a path. Refuses parts that are unknown or hidden, and, if it is `complete`, a path that does not end in a
 * scalar. An `order` after something that is not a scalar is reported as an unknown name.
 */
const checkPath = (
  context: CheckContext,
  start: Owner,
  path: readonly string[],
  from: Place,
  status: AnyStatus,
  order: unknown,
  complete = true,
): SortStep[] => {
  let at: Position | undefined = { owner: start, status };
  let place = from;
  return path.map((name, index) => {
    const member: Member | undefined = at?.owner.members.get(name);
    if (at === undefined || member === undefined) throw unknownKey(name, place);
    const ends = index === path.length - 1 && complete;
    if (member.hidden) throw forbiddenKey(name, place);
    if (ends && member.kind !== "scalar") {
      const leads = member.kind === "component" || (member.kind === "relation" && member.target !== undefined);
      throw leads && typeof order === "string" && order !== ""
        ? unknownKey(order, below(place, name))
        : forbiddenKey(name, place);
    }
    at = follow(context, at, member, place);
    place = below(place, name);
    const isMany = member.kind === "relation" && member.many;
    // If the path goes on, the relation is counted together with the rest of the path.
    if (isMany && complete) context.size.sortThrough(place);
    return { name, status: at?.status ?? status, ...(isMany ? { many: true } : {}) };
  });
};

interface Position {
  readonly owner: Owner;
  readonly status: AnyStatus;
}

/** The owner that a member leads to; undefined for a scalar. */
const follow = (
  context: CheckContext,
  { owner, status }: Position,
  member: Member,
  place: Place,
): Position | undefined => {
  if (member.kind === "scalar") return undefined;
  context.join();
  if (member.kind === "component") return { owner: context.schema.component(member.component), status };
  if (member.kind !== "relation" || member.target === undefined || !context.mayFollow(member)) {
    throw forbiddenKey(member.name, place);
  }
  const beyond = context.statusOf(owner, status, member.target, "published");
  return { owner: context.schema.type(member.target), status: beyond };
};
