/** From a checked shape to the statements and levels of a plan. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { LocaleScope, Shape } from "../query.ts";
import type { Schema } from "../schema.ts";
import { cohortIn } from "../sql/cohort.ts";
import { builder, compile, input, slot } from "../sql/compile.ts";
import { conditionIn } from "../sql/condition.ts";
import { orderBy } from "../sql/order.ts";
import { statusOf } from "../sql/reach.ts";
import { Aliases, type Build, localeColumn, type RowScope, rowScope, systemColumn, tableOf } from "../sql/scope.ts";
import { planRows } from "./level.ts";
import type { Plan } from "./plan.ts";

export const buildPlan = (schema: Schema, shape: Shape): Plan => {
  const build: Build = { schema, aliases: new Aliases() };
  const owner = schema.type(shape.level.uid);
  const scope = rowScope(build, owner, shape.status);
  const { level, selection } = planRows(build, scope, shape.level, shape.nested);
  const where = and(
    statusOf(scope),
    localeIn(scope, shape.locale),
    shape.filters && conditionIn(build, scope, shape.filters),
    shape.search && conditionIn(build, scope, shape.search),
    shape.cohort && cohortIn(build, scope, shape.cohort),
  );
  const order = orderBy(build, scope, shape.sort);
  const rows = (condition: SQL | undefined) => builder.select(selection.fields).from(tableOf(scope)).where(condition);
  const documentId = eq(systemColumn(scope, "documentId"), input("documentId"));
  return {
    page: compile(
      rows(where)
        .orderBy(...order)
        .limit(sql.placeholder("limit"))
        .offset(sql.placeholder("offset")),
    ),
    total: compile(
      builder
        .select({ total: sql`count(*)::int` })
        .from(tableOf(scope))
        .where(where),
    ),
    one: compile(
      rows(and(documentId, where))
        .orderBy(...order)
        .limit(sql.placeholder("limit")),
    ),
    level,
    nested: shape.nested,
  };
};

const localeIn = (scope: RowScope, locale: LocaleScope): SQL | undefined => {
  if (!scope.owner.type.localized || locale.kind === "all") return undefined;
  const column = localeColumn(scope);
  return locale.kind === "one" ? eq(column, slot(locale.slot)) : sql`${column} = any(${slot(locale.slot)}::text[])`;
};
