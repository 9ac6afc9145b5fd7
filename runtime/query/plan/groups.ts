/** Groups: reads by key. The keys of the documents and files are values in rows already read. */
import { and, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { builder } from "../../database/database.ts";
import type { Uid } from "../../schema/content-type.ts";
import type { AnyStatus, Cohort, Condition, Level, SortKey, Window } from "../query.ts";
import { compile, input, slot } from "../sql/compile.ts";
import { cohortIn, conditionIn } from "../sql/condition.ts";
import { ascending, inOrder, orderBy, totalOrder } from "../sql/order.ts";
import type { RowScope } from "../sql/scope.ts";
import { inFirstLocale, statusOf } from "../sql/versions.ts";
import { selected, whereOf, commaSeparated } from "./pages.ts";
import type { GroupPlan, GroupTarget, JoinPlan, LinkPlan } from "./plan.ts";
import { isEstimated, type PlanRows, type Selection } from "./planner.ts";

export interface GroupRequest {
  readonly target: Uid;
  readonly level: Level;
  readonly status: AnyStatus;
  readonly cohort: Cohort | undefined;
  readonly filters: Condition | undefined;
  readonly sort: readonly SortKey[];
  /** The part of each list to read; undefined reads the targets of all keys. */
  readonly window: Window | undefined;
  readonly files: boolean;
  /** Whether the response must contain the rows' type. */
  readonly typed: boolean;
  /** Whether links to one version may lead to any version. */
  readonly anyVersion: boolean;
  /** Whether a document that lacks the wanted locale is shown in another. */
  readonly anyLocale: boolean;
}

/** Collects the groups of one level: attributes with the same target and the same options share a group. */
export class GroupPlanner {
  readonly plans: GroupPlan[] = [];
  readonly #scope: RowScope;
  readonly #planRows: PlanRows;
  readonly #planned = new Map<string, GroupTarget>();

  constructor(scope: RowScope, planRows: PlanRows) {
    this.#scope = scope;
    this.#planRows = planRows;
  }

  /** The group for the request; added if there is none yet. */
  add(given: GroupRequest): GroupTarget {
    const { target, level, status, cohort, filters, sort, window, files, typed, anyVersion, anyLocale } = given;
    const request = { target, level, status, cohort, filters, sort, window, files, typed, anyVersion, anyLocale };
    const key = JSON.stringify(request);
    let planned = this.#planned.get(key);
    if (planned === undefined) {
      const plan = this.#plan(request);
      planned = { group: this.plans.push(plan) - 1, target: plan.level };
      this.#planned.set(key, planned);
    }
    return planned;
  }

  #plan(request: GroupRequest): GroupPlan {
    const { target, level, status, filters, sort, files, typed, cohort } = request;
    const scope = this.#scope.build.rows(target, status);
    const planned = this.#planRows(scope, level, typed);
    const { localized } = scope.owner.type;
    const isNewest = cohort === "newest";
    const newest = isNewest ? cohortIn(scope, cohort) : undefined;
    const keyed: Keyed = {
      scope,
      selection: planned.selection,
      key: scope[files ? "id" : "documentId"],
      keyType: sql.raw(files ? "int" : "text"),
      sort,
      cohort,
      versions: and(statusOf(scope), newest),
      filter: and(filters && conditionIn(scope, filters), cohort && !isNewest ? cohortIn(scope, cohort) : undefined),
    };
    const { query, listIndex } = reading(keyed, request);
    const statement = compile(query, isEstimated(request));
    return { statement, listIndex, level: planned.level, files, localized, sorted: sort.length > 0 };
  }
}

/** The parts of a statement that reads by keys. */
interface Keyed {
  readonly scope: RowScope;
  readonly selection: Selection;
  readonly key: AnyPgColumn;
  readonly keyType: SQL;
  readonly sort: readonly SortKey[];
  /** The condition for the versions that the keys refer to. */
  readonly versions: SQL | undefined;
  readonly filter: SQL | undefined;
  readonly cohort: Cohort | undefined;
}

interface Reading extends Pick<GroupPlan, "listIndex"> {
  readonly query: SQLWrapper;
}

const reading = (keyed: Keyed, { typed, window, anyVersion, anyLocale }: GroupRequest): Reading => {
  const { localized, draftAndPublish } = keyed.scope.owner.type;
  const fallsBack = localized && keyed.scope.build.fallback !== undefined;
  if (typed && (localized || draftAndPublish)) return oneVersion(keyed, anyVersion);
  if (window === undefined && !anyLocale && !fallsBack) return { query: whole(keyed), listIndex: undefined };
  return parts(keyed, window, anyLocale);
};

/** The condition for the version in a locale; if the document has none, for that in the default or its first locale. */
export const inNearestLocale = (scope: RowScope, wanted: SQL, cohort: Cohort | undefined): SQL => {
  const other = scope.build.rows(scope.owner.type.uid, scope.status);
  const versions = and(statusOf(other), cohort && cohortIn(other, cohort));
  const order = sql`${other.locale} <> ${wanted}, ${other.locale} <> ${input("default:locale")}, ${other.locale}`;
  const found = sql`select ${other.locale} from ${other.from}${whereOf(sql`${other.documentId} = ${scope.documentId}`, versions)}`;
  return sql`${scope.locale} = (${found} order by ${order} limit 1)`;
};

/** The statement that reads the targets of all keys. */
const whole = ({ scope, selection, key, keyType, sort, versions, filter }: Keyed): SQLWrapper => {
  const inLocale = scope.owner.type.localized ? anyOf(scope.locale) : undefined;
  const order = sort.length > 0 ? orderBy(scope, sort) : [];
  return builder
    .select(selection.fields)
    .from(scope.table)
    .where(and(sql`${key} = any(${input("keys")}::${keyType}[])`, inLocale, versions, filter))
    .orderBy(...order);
};

const listed = (keyType: SQL): SQL =>
  sql`unnest(${input("lists")}::int[], ${input("keys")}::${keyType}[], ${input("locales")}::text[], ${input("versions")}::text[]) with ordinality as listed(list, key, locale, version, position)`;

/**
 * The statement that reads one version of each document, whatever its locales: the one the link leads to; otherwise the
 * one in the wanted locale, in the default locale, or in its first locale.
 */
const oneVersion = ({ scope, selection, key, keyType, versions, filter }: Keyed, anyVersion: boolean): Reading => {
  const listIndex = selection.add(sql`listed.list`);
  const locale = scope.owner.type.localized ? scope.locale : undefined;
  const status = sql`case when ${scope.publishedAt} is null then 'draft' else 'published' end`;
  const isLinked = sql`(${status}${locale ? sql` || ' ' || ${locale}` : sql``}) is not distinct from listed.version`;
  const allowed = versions && anyVersion ? sql`(${versions} or ${isLinked})` : versions;
  const { fallback } = scope.build;
  const wanted =
    fallback === undefined
      ? sql`${locale} <> listed.locale`
      : sql`array_position(${slot(fallback)}::text[], ${locale}::text)`;
  const inLocales = locale && sql`, ${wanted}, ${locale} <> ${input("default:locale")}, ${locale}`;
  const order = sql`not ${isLinked}${inLocales ?? sql``}`;
  const version = sql`select * from ${scope.from}${whereOf(sql`${key} = listed.key`, allowed)} order by ${order} limit 1`;
  const rows = sql`${listed(keyType)} cross join lateral (${version}) as ${sql.identifier(scope.alias)}`;
  return { query: sql`select ${selected(selection)} from ${rows}${whereOf(filter)}`, listIndex };
};

/** The `rows` whose `place` is in a window. */
export const inWindow = (rows: SQL, { start, limit }: Window): SQL =>
  sql`select * from (${rows}) as listed where place > ${start}::bigint and place <= ${start}::bigint + ${limit}::bigint order by place`;

const inListLocale = (scope: RowScope): SQL | undefined => {
  const { owner, build } = scope;
  if (!owner.type.localized) return undefined;
  return build.fallback === undefined ? sql`${scope.locale} = listed.locale` : inFirstLocale(scope, build.fallback);
};

/**
 * The statement that reads a part of each list of keys. Ignores keys without a target, and numbers rows within their
 * list.
 */
const parts = (keyed: Keyed, window: Window | undefined, anyLocale: boolean): Reading => {
  const { scope, selection, key, keyType, sort, versions, filter, cohort } = keyed;
  const listIndex = selection.add(sql`listed.list`);
  const inLocale = anyLocale ? inNearestLocale(scope, sql`listed.locale`, cohort) : inListLocale(scope);
  const order = sort.length > 0 ? totalOrder(scope, sort) : [ascending(sql`listed.position`)];
  const place = sql`row_number() over (partition by listed.list order by ${commaSeparated(order.map(inOrder))}) as place`;
  const rows = builder
    .select({ ...selection.fields, place })
    .from(scope.table)
    .innerJoin(listed(keyType), sql`${key} = listed.key`)
    .where(and(inLocale, versions, filter))
    .getSQL();
  return { query: inWindow(rows, window ?? { start: 0, limit: Number.MAX_SAFE_INTEGER }), listIndex };
};

export const anyOf = (column: AnyPgColumn): SQL => sql`${column} = any(${input("locales")}::text[])`;

/** The state for planning one level. */
export interface LevelPlanner {
  readonly scope: RowScope;
  readonly selection: Selection;
  readonly groups: GroupPlanner;
  readonly joins: JoinPlan[];
  readonly links: LinkPlan[];
  /** Plans the levels below. */
  readonly planRows: PlanRows;
}
