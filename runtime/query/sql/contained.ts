/** Filters on entries that an index can answer: it finds the rows whose JSON contains a given value. */
import { and, or, type SQL, sql } from "drizzle-orm";
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import { nameLiteral } from "../../database/name-literal.ts";
import type { ComponentUid } from "../../schema/content-type.ts";
import type { Condition } from "../query.ts";
import type { Owner } from "../schema.ts";
import { slot } from "./compile.ts";
import { memberOf, type RowScope, sqlType } from "./scope.ts";

/**
 * The condition that a member contains the JSON or, with `values`, that for one of these; undefined if no index answers
 * it.
 */
type Contains = (name: string, json: SQL, values?: SQL) => SQL | undefined;

/** The forms whose equal values are equal JSON. Times may be written in several ways, and floats are rounded. */
const EXACT: ReadonlySet<ScalarForm> = new Set(["text", "integer", "decimal", "boolean", "date"]);

const VALUE = sql.raw("to_jsonb(item.value)");
const under = (name: string, json: SQL): SQL => sql`jsonb_build_object(${nameLiteral(name)}, ${json})`;
const listOf = (json: SQL): SQL => sql`jsonb_build_array(${json})`;

/** What an index answers of a condition, for rows that meet all of it; undefined for nothing. */
export const containedIn = (scope: RowScope, condition: Condition): SQL | undefined => {
  const inColumn: Contains = (name, json, values) => {
    const member = memberOf(scope.owner, name);
    if (!("index" in member) || !member.index || !member.column) return undefined;
    const wanted = values ? sql`any(array(select ${json} from unnest(${values}) as item(value)))` : json;
    return sql`${scope.column(member.column)}::jsonb @> ${wanted}`;
  };
  return contained(scope, scope.owner, inColumn, condition);
};

/** The same for a row, or for an entry in it. */
const contained = (scope: RowScope, owner: Owner, contains: Contains, condition: Condition): SQL | undefined => {
  const partOf = (item: Condition) => contained(scope, owner, contains, item);
  const inEntry = (name: string, uid: ComponentUid, item: Condition, entry: (json: SQL) => SQL) => {
    const inner: Contains = (key, json, values) => contains(name, entry(under(key, json)), values);
    return contained(scope, scope.build.schema.component(uid), inner, item);
  };
  switch (condition.kind) {
    case "and":
      return and(...condition.items.map(partOf));
    case "or": {
      const items = condition.items.map(partOf);
      return items.includes(undefined) ? undefined : or(...items);
    }
    case "related": {
      const member = memberOf(owner, condition.name);
      if (member.kind !== "component") return undefined;
      return inEntry(member.name, member.component, condition.item, member.repeatable ? listOf : (json) => json);
    }
    case "zone": {
      const { name, component, components, item } = condition;
      const kind = (json: SQL): SQL => under("__component", json);
      const ofKind = (uid: ComponentUid) => (json: SQL) => listOf(sql`${kind(nameLiteral(uid))} || ${json}`);
      const found = component && item && inEntry(name, component, item, ofKind(component));
      return found ?? contains(name, listOf(kind(VALUE)), sql`${slot(components)}::text[]`);
    }
    case "compare":
    case "in":
      return equal(owner, contains, condition);
    default:
      return undefined;
  }
};

type Equality = Extract<Condition, { readonly kind: "compare" | "in" }>;

const equal = (owner: Owner, contains: Contains, condition: Equality): SQL | undefined => {
  const member = memberOf(owner, condition.field);
  if (member.kind !== "scalar" || !EXACT.has(formOf(member.type))) return undefined;
  const type = sqlType(member.type);
  if (condition.kind === "in") return contains(member.name, VALUE, sql`${slot(condition.values)}::text[]::${type}[]`);
  return condition.operator === "="
    ? contains(member.name, sql`to_jsonb(${slot(condition.value)}::${type})`)
    : undefined;
};
