/**
 * Translates filters and sorts for the read engine: `{ title: { eq: "a" } }` becomes `{ title: { $eq: "a" } }`. The
 * read engine checks the names, but does not know `resolversConfig`. So this module makes sure that callers who may not
 * see a field do not find out its value by filtering or sorting by it.
 */
import { type GraphQLResolveInfo, isObjectType } from "graphql";
import type { Caller } from "../../access/caller.ts";
import { ForbiddenError, ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Schema } from "../../query/index.ts";
import type { Catalog, Declaration } from "../catalog.ts";
import { isComparable } from "../schema/guards.ts";
import type { Arguments } from "./operations.ts";

/** The caller who filters or sorts, and what they can name. */
interface Comparison {
  readonly info: GraphQLResolveInfo;
  readonly caller: Caller;
  readonly catalog: Catalog;
  readonly schema: Schema;
}

/**
 * The `filters`, `sort` and search of a list.
 *
 * @throws ForbiddenError if they name a field that the caller may not see, or that a policy guards
 */
export const listOptions = (comparison: Comparison, list: Declaration, { filters, sort, ...search }: Arguments) => ({
  ...(filters ? { filters: filterOf(comparison, list, filters) } : {}),
  ...(sort ? { sort: checkedSort(comparison, list, sort) } : {}),
  ...(list.type?.search ? checkedSearch(comparison, list, search) : {}),
});

/** The search of a list; every field that it reads has to be visible to the caller. */
const checkedSearch = (comparison: Comparison, list: Declaration, { _q, facets, snippets }: Arguments) => {
  checkTexts(
    comparison,
    list,
    [_q ? Object.keys(list.type?.search?.weights ?? {}) : [], facets ?? []].flat().map(String),
  );
  return { _q: _q ?? undefined, facets: facets ?? undefined, snippets: snippets ?? undefined };
};

const checkTexts = (
  comparison: Comparison,
  subject: Declaration,
  names: Iterable<string>,
  seen: Set<string> = new Set(),
): void => {
  for (const name of names) {
    fieldTarget(comparison, subject, name);
    const member = comparison.schema.owner(subject.uid).members.get(name);
    for (const uid of member?.kind === "component"
      ? [member.component]
      : member?.kind === "zone"
        ? member.components
        : []) {
      if (seen.has(uid)) continue;
      seen.add(uid);
      checkTexts(comparison, comparison.catalog.component(uid), comparison.schema.owner(uid).members.keys(), seen);
    }
  }
};

const filterOf = (comparison: Comparison, subject: Declaration, input: unknown): unknown => {
  if (!isRecord(input)) return input ?? undefined;
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (name === "not") return [["$not", filterOf(comparison, subject, value ?? {})]];
      if (name === "and" || name === "or") {
        const items: readonly unknown[] = Array.isArray(value) ? value : [];
        return [[`$${name}`, items.filter(isRecord).map((item) => filterOf(comparison, subject, item))]];
      }
      const inner = fieldTarget(comparison, subject, name);
      const member = comparison.schema.owner(subject.uid).members.get(name);
      if (member?.kind === "zone") {
        const components = member.components.map((uid) => comparison.catalog.component(uid));
        return [[name, zoneFilterOf(comparison, components, value)]];
      }
      // The entity format calls the documentId `id`.
      const key = subject.type && name === "id" ? "documentId" : name;
      return [[key, inner ? filterOf(comparison, inner, value) : operators(value)]];
    }),
  );
};

const zoneFilterOf = (comparison: Comparison, components: readonly Declaration[], input: unknown): unknown => {
  if (!isRecord(input)) return input;
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      if (name === "component") return [["__component", operators(value)]];
      if (name === "not") return [["$not", zoneFilterOf(comparison, components, value)]];
      if (name === "and" || name === "or")
        return [[`$${name}`, [value].flat().map((item) => zoneFilterOf(comparison, components, item))]];
      const component = components.find((each) => each.name === name);
      return component ? [[component.uid, filterOf(comparison, component, value)]] : [];
    }),
  );
};

/** The operators of one scalar; a bare null asks for rows without a value. */
const operators = (input: unknown): unknown => {
  if (!isRecord(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [`$${name}`, name === "not" ? operators(value) : value]),
  );
};

const checkedSort = (comparison: Comparison, list: Declaration, sort: unknown): unknown => {
  if (Array.isArray(sort) && sort.includes(null)) throw new ValidationError("Invalid key 0");
  for (const term of [sort].flat()) {
    for (const path of String(term).split(",")) {
      let subject: Declaration | undefined = list;
      for (const name of (path.split(":")[0] ?? "").trim().split(".")) {
        subject = subject && fieldTarget(comparison, subject, name);
      }
    }
  }
  return sort;
};

/** The type or component that a field leads to, if any. Checks that the caller may filter and sort by the field. */
const fieldTarget = (
  { info, caller, catalog, schema }: Comparison,
  subject: Declaration,
  name: string,
): Declaration | undefined => {
  const type = info.schema.getType(subject.name);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  if (field && !isComparable(field, caller)) throw new ForbiddenError("Forbidden access");
  const member = schema.owner(subject.uid).members.get(name);
  if (member?.kind === "component") return catalog.component(member.component);
  if (member?.kind !== "relation" || member.media || member.secret || member.target === undefined) return undefined;
  return catalog.type(member.target);
};
