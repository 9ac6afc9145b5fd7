/** Compiles the shape of a checked query into a plan: statements and levels. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { builder } from "../../database/statement.ts";
import type { LocaleScope, Shape } from "../query.ts";
import type { Schema } from "../schema.ts";
import { cohortIn } from "../sql/cohort.ts";
import { compile, input, slot } from "../sql/compile.ts";
import { conditionIn } from "../sql/condition.ts";
import { joinedOrder } from "../sql/joined-order.ts";
import { orderBy } from "../sql/order.ts";
import { statusOf } from "../sql/reach.ts";
import { Aliases, type Build, localeColumn, type RowScope, rowScope, systemColumn, tableOf } from "../sql/scope.ts";
import { planRows } from "./level.ts";
import { countedPage, narrowPage, pageApart } from "./pages.ts";
import type { Plan } from "./plan.ts";
import { planWalk } from "./walk.ts";

export const buildPlan = (schema: Schema, shape: Shape): Plan => {
  const build: Build = { schema, aliases: new Aliases() };
  const scope = rowScope(build, schema.type(shape.level.uid), shape.status);
  const { level, selection } = planRows(build, scope, shape.level);
  const filter = filterOf(build, scope, shape);
  const where = and(statusOf(scope), localeIn(scope, shape.locale), filter);
  const order = orderBy(build, scope, shape.sort);
  const rows = (condition: SQL | undefined) => builder.select(selection.fields).from(tableOf(scope)).where(condition);
  const documentId = eq(systemColumn(scope, "documentId"), input("documentId"));
  const listing = { scope, selection, where, ...joinedOrder(build, scope, shape.sort) };
  const narrow = narrowPage(listing);
  const apart = filter ? undefined : pageApart(listing);
  const page = rows(where).orderBy(...order);
  const walked = planWalk(build, listing, shape);
  const special = walked?.page ?? apart;
  return {
    page: special ?? (listing.joins.length > 0 ? narrow : compile(page.limit(limit).offset(offset))),
    deepPage: narrow,
    walk: walked?.walk,
    total: compile(
      builder
        .select({ total: sql`count(*)::int` })
        .from(tableOf(scope))
        .where(where),
    ),
    counted: filter && walked === undefined ? countedPage(listing) : undefined,
    one: compile(
      rows(and(documentId, where))
        .orderBy(...order)
        .limit(limit),
    ),
    own: level.members.length === 0 ? selection.columns : undefined,
    level,
  };
};

const limit = sql.placeholder("limit");
const offset = sql.placeholder("offset");

const filterOf = (build: Build, scope: RowScope, { filters, search, cohort }: Shape): SQL | undefined =>
  and(
    filters && conditionIn(build, scope, filters),
    search && conditionIn(build, scope, search),
    cohort && cohortIn(build, scope, cohort),
  );

const localeIn = (scope: RowScope, locale: LocaleScope): SQL | undefined => {
  if (!scope.owner.type.localized || locale.kind === "all") return undefined;
  const column = localeColumn(scope);
  return locale.kind === "one" ? eq(column, slot(locale.slot)) : sql`${column} = any(${slot(locale.slot)}::text[])`;
};
