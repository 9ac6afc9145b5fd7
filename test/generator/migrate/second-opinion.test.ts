import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { expect, onTestFinished, test } from "vitest";
import * as articles from "../../../generated/article/table.ts";
import * as authors from "../../../generated/author/table.ts";
import * as categories from "../../../generated/category/table.ts";
import * as global from "../../../generated/global/table.ts";
import * as homepage from "../../../generated/homepage/table.ts";
import * as tags from "../../../generated/tag/table.ts";
import * as roles from "../../../generated/users-permissions/role/table.ts";
import * as users from "../../../generated/users-permissions/user/table.ts";
import { introspect } from "../../../generator/migrate/tables/introspect.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import * as system from "../../../runtime/schema/system-tables.ts";
import { freshDatabase } from "../../support/database.ts";

const declared = {
  ...articles,
  ...authors,
  ...categories,
  ...global,
  ...homepage,
  ...tags,
  ...roles,
  ...users,
  ...system,
};

test("the committed migrations make the database that drizzle-kit would make of the same tables", async () => {
  const ours = await freshDatabase("postgres", onTestFinished);
  await migrate(ours, "generated/migrations");
  const theirs = await freshDatabase("postgres", onTestFinished);
  for (const statement of await generateMigration(generateDrizzleJson({}), generateDrizzleJson(declared))) {
    await theirs.script(statement);
  }
  const { tables, sequences } = await introspect(ours);
  const expected = await introspect(theirs);
  // One is the migrator's own.
  expect([...expected.sequences].filter((name) => !sequences.has(name))).toEqual([]);
  for (const [name, table] of expected.tables) {
    const found = tables.get(name);
    expect(found?.columns, name).toEqual(table.columns);
    expect(found?.indexes, name).toEqual(table.indexes);
    // Drizzle names them by its own rules.
    const constraints = (of: typeof table) =>
      [...of.constraints.values()].map((each) => JSON.stringify(each)).toSorted();
    expect(found && constraints(found), name).toEqual(constraints(table));
  }
});
