/** Joins: reads by parent. A link table, or a column of the rows themselves, ties them to rows read before. */
import { aliasedTable, and, asc, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { builder } from "../../database/statement.ts";
import type { DocumentLinkTable, MorphLinkTable } from "../../schema/content-type.ts";
import type { Populate } from "../query.ts";
import { cohortIn } from "../sql/cohort.ts";
import { compile, input } from "../sql/compile.ts";
import { conditionIn } from "../sql/condition.ts";
import { ascending, descending, type OrderKey, totalOrder } from "../sql/order.ts";
import { comesFrom, isType, statusOf, type Storage } from "../sql/reach.ts";
import { type Build, columnIn, localeColumn, type RowScope, rowScope, systemColumn } from "../sql/scope.ts";
import { isEstimated } from "./estimated.ts";
import { anyOf } from "./groups.ts";
import { type Joining, type LocaleRule, type Tie, whole, windowed } from "./join-statements.ts";
import type { JoinPlan, LinkPlan } from "./plan.ts";
import type { LevelPlanner } from "./planner.ts";

type RelationPopulate = Extract<Populate, { readonly kind: "relation" }>;
type Joined = Exclude<Storage, { readonly kind: "column" | "json" }>;

export const planJoin = (planner: LevelPlanner, storage: Joined, populate: RelationPopulate): JoinPlan => {
  const { build, owner } = planner;
  const { target, level, status, filters, sort, cohort, window } = populate;
  const scope = rowScope(build, build.schema.type(target), status);
  const planned = planner.planRows(build, scope, level);
  const tie = tieOf(build, scope, owner.uid, storage);
  const locale = localeOf(owner.type.localized, scope.owner.type.localized, storage);
  const keyIndex = planned.selection.add(tie.key);
  const joined: Joining = {
    scope,
    tie,
    locale,
    fields: planned.selection.fields,
    order:
      sort.length > 0
        ? totalOrder(build, scope, sort)
        : storedOrder(scope, tie, isOfLocales(owner.type.localized, scope, storage)),
    condition: and(
      tie.condition,
      statusOf(scope),
      filters && conditionIn(build, scope, filters),
      cohort && cohortIn(build, scope, cohort),
    ),
  };
  const { query, paired } = window === undefined ? whole(joined) : windowed(joined, window);
  return {
    statement: compile(query, isEstimated(populate)),
    paired,
    level: planned.level,
    keyIndex,
    parentKey: tie.parentKey,
    locale: locale.kind,
  };
};

/** Whether the list is stored by the other side in each of its locales, although this side has no locales. */
const isOfLocales = (parentLocalized: boolean, { owner }: RowScope, { kind }: Joined): boolean =>
  !parentLocalized && owner.type.localized && (kind === "inverseColumn" || kind === "inverseLink");

/**
 * The stored order. Documents that were added to a list in the same statement have the same position; the documentId
 * then gives the same order for drafts and published versions.
 */
const storedOrder = (scope: RowScope, { position, parentKey }: Tie, defaultFirst: boolean): OrderKey[] => [
  ...(position === undefined ? [] : [ascending(position)]),
  ...(position === undefined || parentKey === "id" ? [] : [ascending(systemColumn(scope, "documentId"))]),
  ...(defaultFirst ? [descending(sql`(${localeColumn(scope)} = ${input("defaultLocale")})`)] : []),
  ascending(systemColumn(scope, "id")),
];

const tieOf = (build: Build, scope: RowScope, parent: LevelPlanner["owner"]["uid"], storage: Joined): Tie => {
  const alias = build.aliases.next();
  switch (storage.kind) {
    case "link":
    case "fileLink": {
      const [own, other] =
        storage.kind === "link"
          ? ([storage.link.documentId, "documentId"] as const)
          : ([storage.link.fileId, "id"] as const);
      const on = sql`${columnIn(own, alias)} = ${systemColumn(scope, other)}`;
      return {
        link: { table: storage.link, alias, on },
        key: columnIn(storage.link.versionId, alias),
        parentKey: "id",
        condition: undefined,
        position: columnIn(storage.link.position, alias),
      };
    }
    case "inverseLink": {
      const { link } = storage;
      return {
        link: { table: link, alias, on: sql`${columnIn(link.versionId, alias)} = ${systemColumn(scope, "id")}` },
        key: columnIn(link.documentId, alias),
        parentKey: "documentId",
        condition: comesFrom(link, alias, parent),
        position: link.inversePosition && columnIn(link.inversePosition, alias),
      };
    }
    case "inverseColumn": {
      const { column, typeColumn, position } = storage;
      return {
        link: undefined,
        key: columnIn(column, scope.alias),
        parentKey: "documentId",
        condition: typeColumn && isType(columnIn(typeColumn, scope.alias), parent),
        position: position && columnIn(position, scope.alias),
      };
    }
    case "localizations":
      return {
        link: undefined,
        key: systemColumn(scope, "documentId"),
        parentKey: "documentId",
        condition: undefined,
        position: undefined,
      };
  }
};

const localeOf = (parentLocalized: boolean, targetLocalized: boolean, { kind }: Joined): LocaleRule => {
  if (!targetLocalized) return { kind: "any", condition: () => undefined };
  if (kind === "localizations") return { kind: "other", condition: () => undefined };
  if (parentLocalized) return { kind: "same", condition: (scope) => anyOf(localeColumn(scope)) };
  // Versions in any locale may refer to this row, and each of them is an entry of the list.
  if (kind !== "link") return { kind: "any", condition: () => undefined };
  return { kind: "any", condition: (scope) => sql`${localeColumn(scope)} = ${input("defaultLocale")}` };
};

const LINK_ALIAS = "l";

/** Reads the links of a relation to any type. The targets are read afterwards, by type. */
export const planLinks = (link: DocumentLinkTable | MorphLinkTable): LinkPlan => {
  if (!("documentType" in link)) throw new Error("The link table keeps no type");
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
