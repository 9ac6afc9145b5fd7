/**
 * Keeps filters and sorts from asking for what the rules of `resolversConfig` hide: whoever may not see a field may not find
 * out its value by asking which documents have it.
 */
import type { GraphQLResolveInfo } from "graphql";
import { isObjectType } from "graphql";
import type { Caller } from "../../access/caller.ts";
import { ForbiddenError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Attributes, Catalog } from "../catalog.ts";
import { isComparable } from "../schema/guards.ts";
import { targetOf } from "../target.ts";

/** An object that is filtered or sorted, as the schema and the catalog know it. */
interface Subject {
  readonly name: string;
  readonly attributes: () => Attributes;
}

/** Which fields one caller may compare. */
export interface Comparing {
  readonly info: GraphQLResolveInfo;
  readonly caller: Caller;
  readonly catalog: Catalog;
}

/**
 * Checks the arguments of a list.
 *
 * @throws ForbiddenError where they name a field that the caller may not see, or that a policy guards
 */
export const checkGuarded = (
  comparing: Comparing,
  subject: Subject,
  { filters, sort }: { readonly filters?: unknown; readonly sort?: unknown },
): void => {
  checkFilter(comparing, subject, filters);
  for (const term of [sort].flat()) {
    // Names that do not exist are refused by the read engine.
    if (typeof term === "string") for (const part of term.split(",")) checkSort(comparing, subject, part);
  }
};

const checkFilter = (comparing: Comparing, subject: Subject, filter: unknown): void => {
  if (Array.isArray(filter)) for (const item of filter) checkFilter(comparing, subject, item);
  if (!isRecord(filter)) return;
  for (const [name, value] of Object.entries(filter)) {
    if (name === "and" || name === "or" || name === "not") {
      checkFilter(comparing, subject, value);
    } else {
      const inner = step(comparing, subject, name);
      if (inner) checkFilter(comparing, inner, value);
    }
  }
};

const checkSort = (comparing: Comparing, subject: Subject, term: string): void => {
  let at: Subject | undefined = subject;
  for (const name of (term.split(":")[0] ?? "").trim().split(".")) {
    if (at === undefined) return;
    at = step(comparing, at, name);
  }
};

/** Checks one field, and returns what it leads to. */
const step = ({ info, caller, catalog }: Comparing, subject: Subject, name: string): Subject | undefined => {
  const type = info.schema.getType(subject.name);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  if (field && !isComparable(field, caller)) throw new ForbiddenError("Forbidden access");
  if (name === "localizations") return subject;
  const attributes = subject.attributes();
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (attribute?.type === "component") return catalog.component(attribute.component);
  const target = attribute && targetOf(attribute);
  return target === undefined ? undefined : catalog.type(target);
};
