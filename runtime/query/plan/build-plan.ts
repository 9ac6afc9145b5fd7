/** Compiles the shape of a checked query into a plan: statements and levels. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { builder } from "../../database/statement.ts";
import type { LocaleScope, Shape } from "../query.ts";
import type { Schema } from "../schema.ts";
import { cohortIn } from "../sql/cohort.ts";
import { compile, input, slot } from "../sql/compile.ts";
import { conditionIn } from "../sql/condition.ts";
import { inOrder, orderBy, orderKeys } from "../sql/order.ts";
import { statusOf } from "../sql/reach.ts";
import { Aliases, type Build, localeColumn, type RowScope, rowScope, systemColumn, tableOf } from "../sql/scope.ts";
import { planRows } from "./level.ts";
import type { Plan } from "./plan.ts";
import type { Selection } from "./selection.ts";

export const buildPlan = (schema: Schema, shape: Shape): Plan => {
  const build: Build = { schema, aliases: new Aliases() };
  const scope = rowScope(build, schema.type(shape.level.uid), shape.status);
  const { level, selection } = planRows(build, scope, shape.level);
  const filter = filterOf(build, scope, shape);
  const where = and(statusOf(scope), localeIn(scope, shape.locale), filter);
  const order = orderBy(build, scope, shape.sort);
  const rows = (condition: SQL | undefined) => builder.select(selection.fields).from(tableOf(scope)).where(condition);
  const documentId = eq(systemColumn(scope, "documentId"), input("documentId"));
  const page = rows(where).orderBy(...order);
  return {
    page: compile(page.limit(limit).offset(offset)),
    total: compile(
      builder
        .select({ total: sql`count(*)::int` })
        .from(tableOf(scope))
        .where(where),
    ),
    counted: filter && counted(build, scope, shape, selection, where),
    one: compile(
      rows(and(documentId, where))
        .orderBy(...order)
        .limit(limit),
    ),
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

const column = (table: "matched" | "chosen", name: string): SQL =>
  sql`${sql.identifier(table)}.${sql.identifier(name)}`;

/** A statement that finds the matching rows once, and returns both the page and the total. */
const counted = (
  build: Build,
  scope: RowScope,
  { sort }: Shape,
  selection: Selection,
  where: SQL | undefined,
): NonNullable<Plan["counted"]> => {
  const keys = orderKeys(build, scope, sort);
  const id = systemColumn(scope, "id");
  const values = Object.fromEntries(keys.map(({ value }, index) => [`k${index}`, value.as(`k${index}`)]));
  const matched = builder.$with("matched").as(
    builder
      .select({ id: sql`${sql`${id}`}`.as("id"), ...values })
      .from(tableOf(scope))
      .where(where),
  );
  const order = (table: "matched" | "chosen"): SQL[] => [
    ...keys.map(({ direction }, index) => inOrder({ value: column(table, `k${index}`), direction })),
    column(table, "id"),
  ];
  const chosen = builder
    .select()
    .from(matched)
    .orderBy(...order("matched"))
    .limit(limit)
    .offset(offset)
    .as("chosen");
  const totalIndex = Object.keys(selection.fields).length;
  const statement = builder
    .with(matched)
    .select({ ...selection.fields, total: sql`(select count(*)::int from ${matched})` })
    .from(chosen)
    .innerJoin(tableOf(scope), sql`${id} = ${column("chosen", "id")}`)
    .orderBy(...order("chosen"));
  return { statement: compile(statement), totalIndex };
};

const localeIn = (scope: RowScope, locale: LocaleScope): SQL | undefined => {
  if (!scope.owner.type.localized || locale.kind === "all") return undefined;
  const column = localeColumn(scope);
  return locale.kind === "one" ? eq(column, slot(locale.slot)) : sql`${column} = any(${slot(locale.slot)}::text[])`;
};
