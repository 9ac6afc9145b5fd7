/** The parameter `fields`: which scalar attributes of a type or component are shown. */
import { ValidationError } from "../../base/errors.ts";
import type { SortKey } from "../query.ts";
import type { Owner } from "../schema.ts";
import type { Position } from "./context.ts";
import { forbiddenKey, unknownKey } from "./position.ts";

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
