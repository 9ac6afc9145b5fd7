/** Joins: reads by parent. A link table, or a column of the rows themselves, ties them to rows already read. */
import { and, type SQL, sql, type SQLWrapper, aliasedTable, asc } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { builder } from "../../database/database.ts";
import type { ContentType, DocumentLinkTable, MorphLinkTable } from "../../schema/content-type.ts";
import type { Cohort, Window, Populate } from "../query.ts";
import { input, compile } from "../sql/compile.ts";
import { cohortIn, conditionIn } from "../sql/condition.ts";
import { inOrder, type OrderKey, ascending, descending, totalOrder } from "../sql/order.ts";
import { selectReached, type Tie, tieOf, type TiedStorage } from "../sql/reach.ts";
import { type RowScope, columnIn } from "../sql/scope.ts";
import { inFirstLocale, statusOf } from "../sql/versions.ts";
import { anyOf, inNearestLocale, type LevelPlanner, inWindow } from "./groups.ts";
import { commaSeparated } from "./pages.ts";
import type { JoinPlan, LinkPlan } from "./plan.ts";
import { type Selection, isEstimated } from "./planner.ts";

/** Which locales of the rows belong to a parent. */
interface LocaleRule {
  readonly kind: JoinPlan["locale"];
  condition(scope: RowScope): SQL | undefined;
}

/** The parts of a statement that reads by parents. */
interface Joining {
  readonly scope: RowScope;
  readonly tie: Tie;
  readonly locale: LocaleRule;
  readonly fields: Selection["fields"];
  readonly order: readonly OrderKey[];
  readonly condition: SQL | undefined;
}

/** A statement, and whether it takes the locale of each parent next to its key. */
interface JoinQuery extends Pick<JoinPlan, "paired"> {
  readonly query: SQLWrapper;
}

const keyType = ({ sourceKey }: Tie): SQL => sql.raw(sourceKey === "id" ? "int" : "text");

/** Reads all rows of all parents. */
const whole = (joining: Joining): JoinQuery => ({
  query: rowsOf(joining, joining.fields, whereOf(joining)).orderBy(...joining.order.map(inOrder)),
  paired: false,
});

const whereOf = ({ scope, tie, locale, condition }: Joining): SQL | undefined => {
  const keyed = sql`${tie.key} = any(${input("keys")}::${keyType(tie)}[])`;
  const inLocale = locale.kind === "same" ? anyOf(scope.locale) : locale.condition(scope);
  return and(keyed, inLocale, condition);
};

/**
 * Lists of an inverse side may be long, and have an index in their order. A list stored by its owner is short, since
 * one request writes it.
 */
const isLong = ({ tie }: Joining): boolean => tie.sourceKey === "documentId";

const isPaired = ({ locale: { kind } }: Joining): boolean => kind === "same" || kind === "other";

/** Reads a part of each parent's list. */
const windowed = (joining: Joining, window: Window): JoinQuery =>
  isLong(joining)
    ? { query: parentByParent(joining, window), paired: isPaired(joining) }
    : { query: ranked(joining, window), paired: false };

/**
 * Reads the parents' lists one after the other (lateral join), so that the database stops at the end of each part.
 * Passes the parents' locales along if they matter.
 */
const parentByParent = (joining: Joining, { start, limit }: Window): SQL => {
  const { scope, tie, locale, fields, order, condition } = joining;
  const paired = isPaired(joining);
  const inLocale = paired
    ? sql`${scope.locale} ${sql.raw(locale.kind === "same" ? "=" : "<>")} parent.locale`
    : locale.condition(scope);
  const rows = rowsOf(joining, fields, and(sql`${tie.key} = parent.key`, inLocale, condition)).orderBy(
    ...order.map(inOrder),
  );
  const keys = sql`${input("keys")}::${keyType(tie)}[]`;
  const parents = paired
    ? sql`unnest(${keys}, ${input("locales")}::text[]) as parent(key, locale)`
    : sql`unnest(${keys}) as parent(key)`;
  return sql`select shown.* from ${parents} cross join lateral (${rows.getSQL()} limit ${limit} offset ${start}) as shown`;
};

/** Reads all lists in one pass, and numbers the rows within their list. */
const ranked = (joining: Joining, window: Window): SQL => inWindow(placed(joining), window);

const placed = (joining: Joining): SQL => {
  const { scope, tie, locale, fields, order } = joining;
  const list = locale.kind === "same" ? sql`${tie.key}, ${scope.locale}` : sql`${tie.key}`;
  const place = sql`row_number() over (partition by ${list} order by ${commaSeparated(order.map(inOrder))}) as place`;
  return rowsOf(joining, { ...fields, place }, whereOf(joining)).getSQL();
};

const rowsOf = ({ scope, tie: { link } }: Joining, fields: Selection["fields"], where: SQL | undefined) =>
  selectReached(fields, { target: scope, link, where });

type RelationPopulate = Extract<Populate, { readonly kind: "relation" }>;

export const planJoin = (planner: LevelPlanner, storage: TiedStorage, populate: RelationPopulate): JoinPlan => {
  const { target, level, status, filters, sort, cohort, anyLocale, window } = populate;
  const scope = planner.scope.build.rows(target, status);
  const { owner } = planner.scope;
  const planned = planner.planRows(scope, level);
  const tie = tieOf(scope, owner.uid, storage);
  const isNearest = anyLocale && storage.kind === "link";
  const locale = isNearest ? nearestLocale(owner.type, tie, cohort) : localeOf(owner.type.localized, scope, storage);
  const keyIndex = planned.selection.add(tie.key);
  const joined: Joining = {
    scope,
    tie,
    locale,
    fields: planned.selection.fields,
    order:
      sort.length > 0
        ? totalOrder(scope, sort)
        : storedOrder(scope, tie, isOfLocales(owner.type.localized, scope, storage)),
    condition: and(
      tie.condition,
      statusOf(scope),
      filters && conditionIn(scope, filters),
      cohort && cohortIn(scope, cohort),
    ),
  };
  const { query, paired } = window === undefined ? whole(joined) : windowed(joined, window);
  return {
    statement: compile(query, isEstimated(populate)),
    paired,
    level: planned.level,
    keyIndex,
    parentKey: tie.sourceKey,
    locale: locale.kind,
  };
};

/** Whether the other side stores the list in each of its locales, although this side has no locales. */
const isOfLocales = (parentLocalized: boolean, { owner }: RowScope, { kind }: TiedStorage): boolean =>
  !parentLocalized && owner.type.localized && (kind === "inverseColumn" || kind === "inverseLink");

/**
 * The stored order. Documents added to a list by the same statement have the same position; ordering these by
 * documentId gives the same order for drafts and published versions.
 */
const storedOrder = (scope: RowScope, { position, sourceKey }: Tie, defaultFirst: boolean): OrderKey[] => [
  ...(position === undefined ? [] : [ascending(position)]),
  ...(position === undefined || sourceKey === "id" ? [] : [ascending(scope.documentId)]),
  ...(defaultFirst ? [descending(sql`(${scope.locale} = ${input("default:locale")})`)] : []),
  ascending(scope.id),
];

const localeOf = (parentLocalized: boolean, { owner, build }: RowScope, { kind }: TiedStorage): LocaleRule => {
  const { fallback } = build;
  if (!owner.type.localized) return { kind: "any", condition: () => undefined };
  if (kind === "localizations") return { kind: "other", condition: () => undefined };
  if (fallback !== undefined) return { kind: "any", condition: (scope) => inFirstLocale(scope, fallback) };
  if (parentLocalized) return { kind: "same", condition: (scope) => anyOf(scope.locale) };
  // Versions in any locale may refer to this row, and each of them is an entry of the list.
  if (kind !== "link") return { kind: "any", condition: () => undefined };
  return { kind: "any", condition: (scope) => sql`${scope.locale} = ${input("default:locale")}` };
};

/** The locale of the version that has the link, or the nearest one. */
const nearestLocale = ({ table }: ContentType, { key }: Tie, cohort: Cohort | undefined): LocaleRule => {
  const own = table.locale && sql`(select ${table.locale} from ${table} where ${table.id} = ${key})`;
  return { kind: "any", condition: (scope) => inNearestLocale(scope, own ?? sql`${input("default:locale")}`, cohort) };
};

const LINK_ALIAS = "l";

/** Reads the links of a relation to any type. The targets are read afterwards, by type. */
export const planLinks = (link: DocumentLinkTable | MorphLinkTable): LinkPlan => {
  if (!("documentType" in link)) throw new Error("The link table stores no type");
  const column = (of: AnyPgColumn): AnyPgColumn => columnIn(of, LINK_ALIAS);
  const statement = compile(
    builder
      .select({
        key: column(link.versionId),
        type: column(link.documentType),
        document: column(link.documentId),
        version: column(link.documentVersion),
      })
      .from(aliasedTable(link, LINK_ALIAS))
      .where(sql`${column(link.versionId)} = any(${input("keys")}::int[])`)
      .orderBy(asc(column(link.position)), asc(column(link.documentId))),
  );
  return { statement };
};
