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
import { FILE_TEXTS, showsFiles } from "../../search/file-texts.ts";
import { textsRead } from "../../search/text-paths.ts";
import type { Catalog, Declaration } from "../catalog.ts";
import { isComparable } from "../schema/guards.ts";
import { sourceOf } from "../schema/ready.ts";
import { UPLOAD_FILE_UID } from "../upload-file.ts";
import type { Arguments } from "./operations.ts";

/** The caller who filters or sorts, and what they can name. */
interface Comparison {
  readonly info: GraphQLResolveInfo;
  readonly caller: Caller;
  readonly catalog: Catalog;
  readonly schema: Schema;
}

/**
 * The `filters` and `sort` of a list.
 *
 * @throws ForbiddenError if they name a field that the caller may not see, or that a policy guards
 */
export const listOptions = (comparison: Comparison, list: Declaration, { filters, sort }: Arguments) => ({
  ...(filters ? { filters: filterOf(comparison, list, filters) } : {}),
  ...(sort ? { sort: checkedSort(comparison, list, sort) } : {}),
});

/** The search of a list: the caller may see every field that it reads, and fields that it shows are shown as stored. */
export const searchOptions = (comparison: Comparison, list: Declaration, { _q, facets, snippets }: Arguments) => {
  const { catalog, schema } = comparison;
  for (const name of [facets ?? []].flat()) checkRead(comparison, list, String(name), true);
  const searched = Object.keys((_q && list.type?.search?.weights) || {});
  for (const { uid, name } of textsRead(list.uid, searched, (owner) => schema.owner(owner).members))
    checkRead(comparison, catalog.component(uid), name, snippets === true);
  const shown = _q ? [...schema.owner(list.uid).members.values()].filter(showsFiles) : [];
  for (const { name } of shown) checkRead(comparison, list, name, false);
  for (const name of shown.length > 0 ? FILE_TEXTS : [])
    checkRead(comparison, catalog.component(UPLOAD_FILE_UID), name, false);
  return { _q, facets, snippets };
};

/** Extensions may leave a field out, or change what it shows. */
const checkRead = (comparison: Comparison, subject: Declaration, name: string, isShown: boolean): void => {
  fieldTarget(comparison, subject, name);
  const isAsStored = sourceOf(fieldOf(comparison, subject, name)?.resolve) !== undefined;
  if (!isShown || isAsStored || comparison.schema.owner(subject.uid).members.get(name)?.secret !== false) return;
  throw new ForbiddenError("Forbidden access");
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

const fieldOf = ({ info }: Comparison, subject: Declaration, name: string) => {
  const type = info.schema.getType(subject.name);
  return isObjectType(type) ? type.getFields()[name] : undefined;
};

/** The type or component that a field leads to, if any. Checks that the caller may filter and sort by the field. */
const fieldTarget = (comparison: Comparison, subject: Declaration, name: string): Declaration | undefined => {
  const { caller, catalog, schema } = comparison;
  const field = fieldOf(comparison, subject, name);
  if (field && !isComparable(field, caller)) throw new ForbiddenError("Forbidden access");
  const member = schema.owner(subject.uid).members.get(name);
  if (member?.kind === "component") return catalog.component(member.component);
  if (member?.kind !== "relation" || member.media || member.secret || member.target === undefined) return undefined;
  return catalog.type(member.target);
};
