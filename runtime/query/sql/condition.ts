import { and, exists, isNotNull, isNull, not, or, type SQL, sql } from "drizzle-orm";
/** SQL for conditions. */
import { TEXT_MATCHES } from "../../base/filter-operators.ts";
import { builder } from "../../database/statement.ts";
import type { Condition } from "../query.ts";
import type { ComponentMember, RelationMember, ScalarMember } from "../schema.ts";
import { slot } from "./compile.ts";
import { linkTable, type Reach, reachOne, reachOthers } from "./reach.ts";
import {
  type Build,
  columnIn,
  fieldIn,
  jsonList,
  jsonMember,
  memberOf,
  rowOf,
  type Scope,
  sqlType,
  tableOf,
  searchIn,
} from "./scope.ts";

/**
 * Evaluates a condition on a row of nulls, which stands for a relation without a target: true, false or unknown
 * (undefined), as in SQL.
 */
export const onNothing = (condition: Condition): boolean | undefined => {
  switch (condition.kind) {
    case "null":
      return true;
    case "related":
      return onNothing(condition.item);
    case "not": {
      const value = onNothing(condition.item);
      return value === undefined ? undefined : !value;
    }
    case "and":
    case "or": {
      const values = new Set(condition.items.map(onNothing));
      const decisive = condition.kind === "or";
      if (values.has(decisive)) return decisive;
      return values.has(undefined) ? undefined : !decisive;
    }
    default:
      return undefined;
  }
};

/**
 * Builds the SQL of a condition on `scope`. Negations are moved down to the comparisons, so that "not" on a relation
 * means: there is a related row that does not meet the condition.
 */
export const conditionIn = (build: Build, scope: Scope, condition: Condition, negated = false): SQL => {
  switch (condition.kind) {
    case "and":
    case "or": {
      const items = condition.items.map((item) => conditionIn(build, scope, item, negated));
      return sql`(${(condition.kind === "and") === negated ? or(...items) : and(...items)})`;
    }
    case "not":
      return conditionIn(build, scope, condition.item, !negated);
    case "related":
      return related(build, scope, condition, negated);
    case "search":
      return searchIn(scope, condition);
    case "null": {
      const field = fieldIn(scope, scalar(scope, condition.field));
      return negated ? isNotNull(field) : isNull(field);
    }
    case "unknown":
      return sql`null::boolean`;
    default: {
      const leaf = comparison(scope, condition);
      return negated ? not(leaf) : leaf;
    }
  }
};

const scalar = (scope: Scope, name: string): ScalarMember => {
  const member = memberOf(scope.owner, name);
  if (member.kind !== "scalar") throw new Error(`${name} is no scalar`);
  return member;
};

type Comparison = Extract<Condition, { readonly field: string }>;

const comparison = (scope: Scope, condition: Exclude<Comparison, { kind: "null" }>): SQL => {
  const member = scalar(scope, condition.field);
  const field = fieldIn(scope, member);
  switch (condition.kind) {
    case "compare": {
      const type = sqlType(member.type);
      return sql`${field} ${sql.raw(condition.operator)} ${slot(condition.value)}::${type}`;
    }
    case "in": {
      const type = sqlType(member.type);
      return sql`${field} = any(${slot(condition.values)}::text[]::${type}[])`;
    }
    case "between": {
      const type = sqlType(member.type);
      return sql`${field} between ${slot(condition.from)}::${type} and ${slot(condition.to)}::${type}`;
    }
    case "text":
      return textual(field, condition);
    case "superset":
      return sql`${field} @> ${slot(condition.value)}::jsonb`;
  }
};

const textual = (field: SQL, { match, insensitive, value }: Extract<Condition, { kind: "text" }>): SQL => {
  const operator = sql.raw(TEXT_MATCHES[match]);
  if (!insensitive) return sql`${field} ${operator} ${slot(value)}::text`;
  return sql`lower(${field}::text) ${operator} lower(${slot(value)}::text)`;
};

type Related = Extract<Condition, { kind: "related" }>;

const related = (build: Build, scope: Scope, condition: Related, negated: boolean): SQL => {
  const member = memberOf(scope.owner, condition.name);
  if (member.kind === "component") return inComponent(build, scope, member, condition, negated);
  if (member.kind !== "relation") throw new Error(`${condition.name} leads to no type`);
  // "Not translated into German" is about all translations, unlike "not" on other relations.
  if (negated && member.source.type === "localizations")
    return sql`(${related(build, scope, condition, false)}) is not true`;
  const { name, status, item } = condition;
  const hasNone = (): SQL => not(exists(selectFrom(reachOthers(build, scope, name, status))));
  const counts = nothingCounts(condition, negated);
  if (counts && isNeverTrue(build, member, item, negated)) return hasNone();
  const single = counts && scope.kind === "row" ? reachOne(build, scope, name, status) : undefined;
  // Of at most one row: there is none that does not meet the condition. PostgreSQL can join that, but no "or".
  if (single)
    return not(exists(selectFrom(single, sql`(${conditionIn(build, single.target, item, negated)}) is not true`)));
  const reached = reachOthers(build, scope, name, status);
  const found = exists(selectFrom(reached, conditionIn(build, reached.target, item, negated)));
  return counts ? sql`(${found} or ${hasNone()})` : found;
};

/** Whether no row can meet the condition, since it asks for a null in a column that has none. */
const isNeverTrue = (build: Build, { target }: RelationMember, item: Condition, negated: boolean): boolean => {
  if (target === undefined || item.kind !== "null" || negated) return false;
  const member = memberOf(build.schema.type(target), item.field);
  return member.kind === "scalar" && member.column?.notNull === true;
};

const nothingCounts = (condition: Related, negated: boolean): boolean => onNothing(condition.item) === !negated;

const one = { one: sql`1` };

const selectFrom = ({ target, link, where }: Reach, condition?: SQL) => {
  if (link === undefined) return builder.select(one).from(tableOf(target)).where(and(where, condition));
  return builder.select(one).from(linkTable(link)).innerJoin(tableOf(target), link.on).where(and(where, condition));
};

const inComponent = (
  build: Build,
  scope: Scope,
  member: ComponentMember,
  condition: Related,
  negated: boolean,
): SQL => {
  const owner = build.schema.component(member.component);
  const row = rowOf(scope);
  const value = componentValue(scope, member);
  if (!member.repeatable) {
    return conditionIn(build, { kind: "json", owner, value, row }, condition.item, negated);
  }
  const entry = sql.identifier(build.aliases.next());
  const list = jsonList(value);
  const inner = conditionIn(build, { kind: "json", owner, value: sql`${entry}.value`, row }, condition.item, negated);
  const found = sql`exists (select 1 from json_array_elements(${list}) as ${entry}(value) where ${inner})`;
  if (!nothingCounts(condition, negated)) return found;
  return sql`(${found} or coalesce(json_array_length(${list}), 0) = 0)`;
};

/** The JSON value of a component attribute. */
export const componentValue = (scope: Scope, member: ComponentMember): SQL => {
  if (scope.kind === "json") return jsonMember(scope.value, member.name);
  if (member.column === undefined) throw new Error(`${member.name} has no column`);
  return sql`${columnIn(member.column, scope.alias)}`;
};
