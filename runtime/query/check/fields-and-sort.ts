/** The parameters `fields` and `sort`: lists of the names of scalar attributes, and for `sort` objects and paths. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { SortKey, SortStep } from "../query.ts";
import type { Member, Owner } from "../schema.ts";
import type { Position } from "./context.ts";
import { below, forbiddenKey, unknownKey } from "./position.ts";

/** The names to show: the chosen ones and those always shown, or every scalar if none were chosen. */
export const scalarNames = (owner: Owner, chosen?: ReadonlySet<string>): string[] => {
  const names: string[] = [];
  for (const { name, kind, hidden, secret } of owner.members.values()) {
    const always = name === "id" || (name === "documentId" && owner.type !== undefined);
    const isChosen = chosen === undefined ? !secret : chosen.has(name) || (chosen.has("*") && !secret);
    if (kind === "scalar" && !hidden && (always || isChosen)) names.push(name);
  }
  return names;
};

/**
 * Checks the parameter and returns the names in response order. Scalars of this level that `sort` uses are included.
 */
export const checkFields = (at: Position, raw: unknown, sort: readonly SortKey[] = []): string[] => {
  const { owner } = at;
  if (raw === undefined || raw === null) return scalarNames(owner);
  const chosen = new Set(names(raw));
  for (const name of chosen) {
    if (name === "*") continue;
    const member = owner.members.get(name);
    if (member === undefined) throw unknownKey(name, at);
    if (member.hidden || member.kind !== "scalar") throw forbiddenKey(name, at);
  }
  for (const { path } of sort) if (path[0] && path.length === 1) chosen.add(path[0].name);
  return scalarNames(owner, chosen);
};

const names = (raw: unknown): string[] => {
  const list: readonly unknown[] = typeof raw === "string" ? [raw] : Array.isArray(raw) ? raw : [undefined];
  return list.flatMap((entry) => {
    if (entry === null) return [];
    if (typeof entry !== "string") {
      throw new ValidationError("Invalid fields parameter. Expected a string or an array of strings");
    }
    return entry.split(",").map((name) => name.trim());
  });
};

const wrongType = (): ValidationError =>
  new ValidationError(
    "Invalid sort parameter. Expected a string, an array of strings, a sort object or an array of sort objects",
  );

/** Checks a whole sort parameter; without entries, or with only empty ones, there is no order. */
export const checkSort = (at: Position, raw: unknown): SortKey[] => {
  if (raw === undefined || raw === null) return [];
  if (typeof raw === "string") return raw.split(",").flatMap((entry) => checkEntry(at, entry));
  if (Array.isArray(raw)) return checkList(at, raw);
  if (isRecord(raw)) return checkObject(at, raw);
  throw wrongType();
};

const checkList = (at: Position, raw: readonly unknown[]): SortKey[] => {
  const entries = raw.filter((entry) => entry !== null);
  if (entries.every((entry) => typeof entry === "string")) return entries.flatMap((entry) => checkSort(at, entry));
  if (entries.every(isRecord)) return entries.flatMap((entry) => checkObject(at, entry));
  if (entries.some((entry) => typeof entry !== "string" && !isRecord(entry))) throw wrongType();
  throw unknownKey("0", at);
};

/** Checks one entry, such as `category.name:desc`. */
const checkEntry = (at: Position, entry: string): SortKey[] => {
  const [name = "", order] = entry.trim().split(":");
  if (name === "") return [];
  at.context.budget.count("sortKeys", at);
  const path = name.split(".");
  if (path.some((part) => part in Object.prototype)) throw new ValidationError("Invalid sort query");
  const steps = checkPath(at, path, order);
  return [{ path: steps, descending: checkOrder(order?.trim() ?? "asc") }];
};

const checkObject = (at: Position, raw: Readonly<Record<string, unknown>>, path: readonly string[] = []): SortKey[] =>
  Object.entries(raw).flatMap(([name, value]) => {
    const deeper = [...path, ...name.split(".")];
    if (isRecord(value)) {
      checkPath(at, deeper, "", false);
      return checkObject(at, value, deeper);
    }
    at.context.budget.count("sortKeys", at);
    const order = typeof value === "string" ? value.trim() : value;
    const steps = checkPath(at, deeper, order);
    // Ignores a name without an order.
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
const checkPath = (start: Position, path: readonly string[], order: unknown, complete = true): SortStep[] => {
  let at = start;
  let isScalar = false;
  return path.map((name, index) => {
    const member = isScalar ? undefined : at.owner.members.get(name);
    if (member === undefined) throw unknownKey(name, at);
    if (member.hidden) throw forbiddenKey(name, at);
    if (index === path.length - 1 && complete && member.kind !== "scalar") {
      const leads = member.kind === "component" || (member.kind === "relation" && member.target !== undefined);
      throw leads && typeof order === "string" && order !== ""
        ? unknownKey(order, below(at, name))
        : forbiddenKey(name, at);
    }
    at = follow(at, member);
    isScalar = member.kind === "scalar";
    const isMany = member.kind === "relation" && member.many;
    // If the path goes on, the relation is counted together with the rest of the path.
    if (isMany && complete) at.context.budget.count("sortSteps", at);
    return { name, status: isScalar ? start.status : at.status, ...(isMany ? { many: true } : {}) };
  });
};

/** The position behind a member. */
const follow = (at: Position, member: Member): Position => {
  const { context, owner, status } = at;
  const behind = below(at, member.name);
  if (member.kind === "scalar") return behind;
  context.budget.joins.grow();
  if (member.kind === "component") return { ...behind, owner: context.schema.component(member.component) };
  if (member.kind !== "relation" || member.target === undefined || !context.mayFollow(member)) {
    throw forbiddenKey(member.name, at);
  }
  const beyond = context.statusOf(owner, status, member.target, "published");
  return { ...behind, owner: context.schema.type(member.target), status: beyond };
};
