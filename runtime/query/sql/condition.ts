/** SQL for conditions, and for publication filters, which compare a version with other versions of its document. */
import { and, exists, isNotNull, isNull, not, or, type SQL, sql, eq } from "drizzle-orm";
import { TEXT_MATCHES } from "../../base/filter-operators.ts";
import { builder } from "../../database/database.ts";
import { orAny } from "../../search/words.ts";
import type { Condition, Cohort, AnyStatus } from "../query.ts";
import type { ComponentMember, RelationMember, ScalarMember, ZoneMember } from "../schema.ts";
import { slot } from "./compile.ts";
import { reachOne, reachOthers, selectReached } from "./reach.ts";
import {
  entryIn,
  fieldIn,
  jsonList,
  jsonMember,
  jsonText,
  memberOf,
  type Scope,
  sqlType,
  searchIn,
  type RowScope,
} from "./scope.ts";
import { textInFiles } from "./searched-files.ts";
import { wordsIn } from "./words.ts";

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
    case "zone":
      return false;
    default:
      return undefined;
  }
};

/**
 * Builds the SQL of a condition on `scope`. Moves negations down to the comparisons, so that "not" on a relation means:
 * there is a related row that does not meet the condition.
 */
export const conditionIn = (scope: Scope, condition: Condition, negated = false): SQL => {
  switch (condition.kind) {
    case "and":
    case "or": {
      const items = condition.items.map((item) => conditionIn(scope, item, negated));
      return sql`(${(condition.kind === "and") === negated ? or(...items) : and(...items)})`;
    }
    case "not":
      return conditionIn(scope, condition.item, !negated);
    case "related":
      return related(scope, condition, negated);
    case "zone": {
      const found = inZone(scope, condition);
      return negated ? not(found) : found;
    }
    case "search":
      return orAny(searchIn(scope, condition), textInFiles(scope.row, condition));
    case "words":
      return wordsIn(scope.row, condition);
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
  if (member.kind !== "scalar") throw new Error(`${name} is not a scalar`);
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

const related = (scope: Scope, condition: Related, negated: boolean): SQL => {
  const member = memberOf(scope.owner, condition.name);
  if (member.kind === "component") return inComponent(scope, member, condition, negated);
  if (member.kind !== "relation") throw new Error(`${condition.name} has no target type`);
  // "Not translated into German" concerns all translations, unlike "not" on other relations.
  if (negated && member.source.type === "localizations") return sql`(${related(scope, condition, false)}) is not true`;
  const { name, status, item } = condition;
  const hasNone = (): SQL => not(exists(selectReached(one, reachOthers(scope, name, status))));
  const counts = nothingCounts(condition, negated);
  if (counts && isNeverTrue(scope, member, item, negated)) return hasNone();
  const single = counts && scope.kind === "row" ? reachOne(scope, name, status) : undefined;
  // The relation leads to at most one row: there is none that fails the condition. PostgreSQL can turn that into a
  // join, but not an `or`.
  if (single)
    return not(exists(selectReached(one, single, sql`(${conditionIn(single.target, item, negated)}) is not true`)));
  const reached = reachOthers(scope, name, status);
  const found = exists(selectReached(one, reached, conditionIn(reached.target, item, negated)));
  return counts ? sql`(${found} or ${hasNone()})` : found;
};

/** Whether no row can meet the condition, because it requires null in a non-null column. */
const isNeverTrue = ({ build }: Scope, { target }: RelationMember, item: Condition, negated: boolean): boolean => {
  if (target === undefined || item.kind !== "null" || negated) return false;
  const member = memberOf(build.schema.type(target), item.field);
  return member.kind === "scalar" && member.column?.notNull === true;
};

const nothingCounts = (condition: Related, negated: boolean): boolean => onNothing(condition.item) === !negated;

const one = { one: sql`1` };

const inComponent = (scope: Scope, member: ComponentMember, condition: Related, negated: boolean): SQL => {
  const value = componentValue(scope, member);
  const inEntry = (entry: SQL): SQL => conditionIn(entryIn(scope, member.component, entry), condition.item, negated);
  if (!member.repeatable) return inEntry(value);
  const entry = sql.identifier(scope.build.alias());
  const list = jsonList(value);
  const found = sql`exists (select 1 from json_array_elements(${list}) as ${entry}(value) where ${inEntry(sql`${entry}.value`)})`;
  if (!nothingCounts(condition, negated)) return found;
  return sql`(${found} or coalesce(json_array_length(${list}), 0) = 0)`;
};

type InZone = Extract<Condition, { kind: "zone" }>;

const inZone = (scope: Scope, { name, components, component, item }: InZone): SQL => {
  const member = memberOf(scope.owner, name);
  if (member.kind !== "zone") throw new Error(`${name} is not a dynamic zone`);
  const entry = sql.identifier(scope.build.alias());
  const value = sql`${entry}.value`;
  const listed = sql`${jsonText(value, "__component")} = any(${slot(components)}::text[])`;
  const met = component && item && conditionIn(entryIn(scope, component, value), item);
  return sql`exists (select 1 from json_array_elements(${jsonList(componentValue(scope, member))}) as ${entry}(value) where ${and(listed, met)})`;
};

/** The JSON value of a component attribute or dynamic zone. */
export const componentValue = (scope: Scope, member: ComponentMember | ZoneMember): SQL => {
  if (scope.kind === "json") return jsonMember(scope.value, member.name);
  if (member.column === undefined) throw new Error(`${member.name} has no column`);
  return sql`${scope.column(member.column)}`;
};

/** Whether the row of `scope` belongs to the cohort. */
export const cohortIn = (scope: RowScope, cohort: Cohort): SQL => {
  switch (cohort) {
    case "never-published":
      return not(sibling(scope, "published", true));
    case "has-published-version":
      return sibling(scope, "published", true);
    case "never-published-document":
      return not(sibling(scope, "published", false));
    case "has-published-version-document":
      return sibling(scope, "published", false);
    case "published-with-draft":
      return published(scope, sibling(scope, "draft", true));
    case "published-without-draft":
      return published(scope, not(sibling(scope, "draft", true)));
    case "newest":
      return sql`(${isNotNull(scope.publishedAt)} or ${not(sibling(scope, "published", true))})`;
    case "modified":
    case "unmodified":
      return changed(scope, cohort === "modified");
  }
};

/** A condition that only published versions can meet. */
const published = (scope: RowScope, condition: SQL): SQL => sql`(${and(isNotNull(scope.publishedAt), condition)})`;

/** Whether the document has a version of the status; with `sameLocale`, in the same locale. */
const sibling = (scope: RowScope, status: AnyStatus, sameLocale: boolean): SQL => {
  const other = scope.build.rows(scope.owner.uid, status);
  return exists(
    builder
      .select({ one: sql`1` })
      .from(other.table)
      .where(paired(scope, other, sameLocale)),
  );
};

const paired = (scope: RowScope, other: RowScope, sameLocale: boolean): SQL | undefined => {
  const localized = scope.owner.type.localized && sameLocale;
  return and(
    eq(other.documentId, scope.documentId),
    other.status === "draft" ? isNull(other.publishedAt) : isNotNull(other.publishedAt),
    localized ? eq(other.locale, scope.locale) : undefined,
  );
};

/** Whether the draft was written after the published version (`modified`) or not. Both versions must exist. */
const changed = (scope: RowScope, modified: boolean): SQL => {
  const draft = scope.build.rows(scope.owner.uid, "draft");
  const live = scope.build.rows(scope.owner.uid, "published");
  const later = sql`${draft.updatedAt} > ${live.updatedAt}`;
  return exists(
    builder
      .select({ one: sql`1` })
      .from(draft.table)
      .innerJoin(live.table, paired(draft, live, true) ?? sql`true`)
      .where(and(paired(scope, draft, true), modified ? later : not(later))),
  );
};
