/** Compiles the shape of a checked query into a plan: statements and levels. */
import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { builder } from "../../database/database.ts";
import type { Condition, Facet, LocaleScope, Shape } from "../query.ts";
import type { Owner, Schema } from "../schema.ts";
import { compileLater, input, slot, type Statement } from "../sql/compile.ts";
import { cohortIn, conditionIn } from "../sql/condition.ts";
import { containedIn } from "../sql/contained.ts";
import { descending, type JoinedKey, joinedOrder } from "../sql/order.ts";
import { reach } from "../sql/reach.ts";
import { buildFor } from "../sql/readable.ts";
import { onlyRelations } from "../sql/related-ids.ts";
import { fieldIn, memberOf, type RowScope } from "../sql/scope.ts";
import { inFirstLocale, statusOf } from "../sql/versions.ts";
import { markedTextOf, scoreIn } from "../sql/words.ts";
import { GroupPlanner, type LevelPlanner } from "./groups.ts";
import { planMember } from "./members.ts";
import { type Listing, oneOf, page, pageApart, pageById, planWalk } from "./pages.ts";
import type { ColumnPlan, Plan } from "./plan.ts";
import { isEstimated, type PlanRows, Selection } from "./planner.ts";
import { relatedPage, SELECTED } from "./related-page.ts";

/** The rows of a list. */
export interface Counted {
  readonly scope: RowScope;
  readonly where: SQL | undefined;
  /** Whether PostgreSQL estimates what reading all of them costs. */
  readonly isEstimated: boolean;
}

/** The maximum number of values that a facet lists. */
const VALUES = 100;

/** Counts the rows of a list by their values of an attribute: by the documentIds behind a relation. */
const planFacet = ({ scope, where, isEstimated }: Counted, { name, status }: Facet): Statement =>
  compileLater(isEstimated, () => {
    const member = memberOf(scope.owner, name);
    const most = sql`group by 1 order by 2 desc, 1 limit ${sql.raw(String(VALUES))}`;
    if (member.kind === "scalar") {
      const value = fieldIn(scope, member);
      return sql`select ${value}::text, count(*)::int from ${scope.from} where ${and(where, isNotNull(value))} ${most}`;
    }
    if (status === undefined) throw new Error(`${name} has no values to count`);
    const { target, link, where: related } = reach(scope, name, status);
    const links = link ? [sql`${link.table} ${sql.identifier(link.alias)}`] : [];
    const tables = sql.join([scope.from, ...links, target.from], sql`, `);
    return sql`select ${target.documentId}, count(distinct ${scope.id})::int from ${tables} where ${and(where, link?.on, related)} ${most}`;
  });

type Words = Extract<Condition, { readonly kind: "words" }>;

/** Reads the texts of rows by their ids, if they meet the condition. */
const planSnippets = (scope: RowScope, search: Words, where: SQL | undefined): Statement =>
  compileLater(false, () => {
    const { text, marked } = markedTextOf(scope, search);
    const named = sql`${scope.id} = any(${input("keys")}::int[])`;
    return sql`select ${scope.id}, ${text}, ${marked} from ${scope.from} where ${and(named, where)}`;
  });

export const buildPlan = (schema: Schema, shape: Shape): Plan => {
  const scope = buildFor(schema, shape).rows(shape.level.uid, shape.status);
  const { level, selection } = planRows(scope, shape.level);
  const filter = filterOf(scope, shape);
  const where = whereIn(scope, shape, filter);
  const listing: Listing = {
    scope,
    selection,
    where,
    ...(shape.byScore ? { joins: [], keys: [byScore(scope, shape)] } : joinedOrder(scope, shape.sort)),
    isEstimated: isEstimated(shape),
    isSearched: !shape.byScore && (shape.search?.kind === "words" || entriesOf(scope, shape) !== undefined),
  };
  const walked = planWalk(listing, shape);
  return {
    page: walked?.page ?? pageOf(listing, shape, filter),
    walk: walked?.walk,
    total: countOf(schema, shape),
    facets: (shape.facets ?? []).map((facet) => [facet.name, planFacet(counted(schema, shape), facet)] as const),
    snippets: snippetsOf(scope, shape),
    one: oneOf(listing),
    level,
  };
};

/** What an index of entries answers of the filters. */
const entriesOf = (scope: RowScope, { filters }: Shape): SQL | undefined => filters && containedIn(scope, filters);

/** The order by score of a searched list. */
const byScore = (scope: RowScope, { search }: Shape): JoinedKey => {
  if (search?.kind !== "words") throw new Error("Only a full-text search has a score");
  return { ...descending(scoreIn(scope, search)), joins: [], scalar: undefined, descending: true };
};

const pageOf = (listing: Listing, shape: Shape, filter: SQL | undefined): Statement => {
  if (filter !== undefined) return planRelated(listing, shape) ?? page(listing);
  return listing.keys.length === 0 ? pageById(listing) : (pageApart(listing) ?? page(listing));
};

/** The snippets of rows that are still in the list: it was read by another statement. */
const snippetsOf = (scope: RowScope, shape: Shape): Statement | undefined => {
  const { search, snippets } = shape;
  if (!snippets || search?.kind !== "words") return undefined;
  return planSnippets(scope, search, whereIn(scope, shape, filterOf(scope, { ...shape, search: undefined })));
};

/** Counts the rows. It has its own aliases, so its text does not depend on the rest of the shape. */
const countOf = (schema: Schema, shape: Shape): Statement =>
  compileLater(isEstimated({ filters: shape.filters, sort: [] }), () => {
    const { scope, where } = counted(schema, shape);
    return builder
      .select({ total: sql`count(*)::int` })
      .from(scope.table)
      .where(where);
  });

/** All rows of the list, with aliases of their own. */
const counted = (schema: Schema, shape: Shape): Counted => {
  const scope = buildFor(schema, shape).rows(shape.level.uid, shape.status);
  const { filters } = shape;
  return {
    scope,
    where: whereIn(scope, shape, filterOf(scope, shape)),
    isEstimated: isEstimated({ filters, sort: [] }),
  };
};

const whereIn = (scope: RowScope, { locale }: Shape, filter: SQL | undefined): SQL | undefined =>
  and(statusOf(scope), localeIn(scope, locale), filter);

const filterOf = (scope: RowScope, shape: Shape): SQL | undefined => {
  const { filters, search, cohort } = shape;
  const found = and(filters && conditionIn(scope, filters), search && conditionIn(scope, search));
  return and(entriesOf(scope, shape), found, cohort && cohortIn(scope, cohort));
};

/** The page of a list that is filtered by relations and nothing else. */
const planRelated = (listing: Listing, shape: Shape): Statement | undefined => {
  const { filters, search, cohort, locale } = shape;
  if (filters === undefined || search || cohort) return undefined;
  const { scope } = listing;
  const versions = (row: RowScope): SQL | undefined => whereIn(row, shape, undefined);
  const related = onlyRelations(scope, filters, { limit: SELECTED, versions });
  if (related === undefined) return undefined;
  const oneLocale = locale.kind === "one" ? localeIn(scope, locale) : undefined;
  return relatedPage({ ...listing, versions: versions(scope), locale: oneLocale }, related);
};

const localeIn = (scope: RowScope, locale: LocaleScope): SQL | undefined => {
  if (!scope.owner.type.localized || locale.kind === "all") return undefined;
  if (locale.kind === "first") return inFirstLocale(scope, locale.slot);
  const column = scope.locale;
  return locale.kind === "one" ? eq(column, slot(locale.slot)) : sql`${column} = any(${slot(locale.slot)}::text[])`;
};

/** Plans the reading of rows; `typed` rows show their type. */
const planRows: PlanRows = (scope, level, typed = false) => {
  const { owner } = scope;
  const { table } = owner.type;
  const selection = new Selection(scope.alias);
  const planner: LevelPlanner = {
    scope,
    selection,
    groups: new GroupPlanner(scope, planRows),
    joins: [],
    links: [],
    planRows,
  };
  const idIndex = selection.column(table.id);
  const documentIdIndex = selection.column(table.documentId);
  const columns = level.fields.map((name) => columnPlan(selection, owner, name));
  const localeIndex = table.locale === undefined ? undefined : selection.column(table.locale);
  const members = level.populate.map((populate) => planMember(planner, owner, populate, []));
  return {
    selection,
    level: {
      uid: owner.uid,
      columns,
      members,
      groups: planner.groups.plans,
      joins: planner.joins,
      links: planner.links,
      drafts: owner.type.draftAndPublish,
      typed,
      idIndex,
      documentIdIndex,
      localeIndex,
    },
  };
};

const columnPlan = (selection: Selection, owner: Owner, name: string): ColumnPlan => {
  const member = memberOf(owner, name);
  if (member.kind !== "scalar" || member.column === undefined) throw new Error(`${name} has no column`);
  return { name, type: member.type, index: selection.column(member.column) };
};
