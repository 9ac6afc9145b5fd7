/** Translates queries of version 4 of the wire format into queries of version 5. */
import { isRecord } from "../base/is-record.ts";
import type { ComponentUid, Uid } from "../schema/content-type.ts";
import type { PlanSize } from "./check/budget.ts";
import type { RawQuery } from "./check/check.ts";
import { booleanWord } from "./check/context.ts";
import { LIVE, PREVIEW } from "./check/selected.ts";
import type { Schema } from "./schema.ts";

/** Where to look up names, and the counter of populated attributes. */
interface Names {
  readonly schema: Schema;
  readonly size: PlanSize;
}

const OPTIONS = ["fields", "filters", "sort", "count"];

/** What a name may lead to: one type or component, or several in a zone; empty for a relation to any type. */
type Targets = readonly (Uid | ComponentUid)[];

/** What a name leads to; undefined if it cannot be populated. */
const behind = ({ schema }: Names, uid: Uid | ComponentUid, name: string): Targets | undefined => {
  const member = schema.owner(uid).members.get(name);
  switch (member?.kind) {
    case "component":
      return [member.component];
    case "zone":
      return member.components;
    case "relation":
      if (member.source.type === "localizations" && member.hidden) return undefined;
      return member.target === undefined ? [] : [member.target];
    default:
      return undefined;
  }
};

/** The valid part at the beginning of a path. */
const leading = (names: Names, uids: Targets, [name, ...rest]: readonly string[]): readonly string[] => {
  if (name === undefined) return [];
  const targets = uids.map((uid) => behind(names, uid, name)).filter((each) => each !== undefined);
  return targets.length === 0 ? [] : [name, ...leading(names, targets.flat(), rest)];
};

const pathsIn = (names: Names, uid: Uid | ComponentUid, texts: readonly string[]): readonly string[] =>
  texts
    .flatMap((text) => text.split(","))
    .map((path) =>
      leading(
        names,
        [uid],
        path.split(".").map((name) => name.trim()),
      ).join("."),
    )
    .filter((path) => path !== "");

/** Any text but the words for false means true, such as `populate[author]=*`. */
const fromWord = (value: string): unknown => {
  if (value === "" || booleanWord(value) === false) return "false";
  return "true";
};

const withoutEmpty = (options: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    OPTIONS.flatMap((name) => {
      const value = options[name];
      return value === undefined || value === "" || value === null ? [] : [[name, value]];
    }),
  );

/** The translated options for one type or component. */
const optionsFor = (names: Names, uid: Uid | ComponentUid, options: Readonly<Record<string, unknown>>): unknown => {
  const populate = oldPopulate(names, uid, options["populate"]);
  const all = { ...withoutEmpty(options), ...(populate === undefined ? {} : { populate }) };
  return Object.keys(all).length === 0 ? "true" : all;
};

/** Options for a zone without `on` apply to each of its components that has the attributes. */
const optionsOfZone = (names: Names, uids: Targets, options: Readonly<Record<string, unknown>>): unknown => {
  const { on, populate } = options;
  if (isRecord(on)) {
    const known = uids.filter((uid) => Object.hasOwn(on, uid));
    return { on: Object.fromEntries(known.map((uid) => [uid, valueFor(names, [uid], false, on[uid])])) };
  }
  if (populate === undefined || populate === "" || populate === null) return "true";
  if (populate === "*") return { populate };
  return { on: Object.fromEntries(uids.map((uid) => [uid, optionsFor(names, uid, { populate })])) };
};

const valueFor = (names: Names, targets: Targets, isZone: boolean, value: unknown): unknown => {
  if (typeof value === "string") return fromWord(value);
  const [only] = targets;
  if (!isRecord(value) || only === undefined) return value;
  return isZone ? optionsOfZone(names, targets, value) : optionsFor(names, only, value);
};

/**
 * Translates a populate parameter on a type or component, without names that do not exist there; undefined if nothing
 * is left. Does not check permissions: that happens with the translated query.
 *
 * @throws ValidationError when it names more than allowed
 */
const oldPopulate = (names: Names, uid: Uid | ComponentUid, raw: unknown): unknown => {
  if (raw === undefined || raw === null || raw === "") return undefined;
  if (raw === "*") return raw;
  if (typeof raw === "string") return pathsIn(names, uid, [raw]);
  if (Array.isArray(raw)) {
    if (raw.includes("*")) return "*";
    return raw.every((each) => typeof each === "string") ? pathsIn(names, uid, raw) : raw;
  }
  if (!isRecord(raw)) return raw;
  const entries = Object.entries(raw).flatMap(([name, value]): (readonly [string, unknown])[] => {
    const targets = behind(names, uid, name);
    if (targets === undefined) return [];
    names.size.grow();
    const isZone = names.schema.owner(uid).members.get(name)?.kind === "zone";
    return [[name, valueFor(names, targets, isZone, value)]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/**
 * The equivalent query of version 5. Parameters of version 5, and those that version 4 did not have, stay unchanged.
 */
export const oldQuery = (
  names: Names,
  uid: Uid,
  { publicationState, populate: given, ...query }: RawQuery,
): RawQuery => {
  const populate = oldPopulate(names, uid, given);
  return {
    status: publicationState === "preview" ? PREVIEW : LIVE,
    ...query,
    ...(query["locale"] === "all" ? { locale: "*" } : {}),
    ...(populate === undefined ? {} : { populate }),
  };
};
