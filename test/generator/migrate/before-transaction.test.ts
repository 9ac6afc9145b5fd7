/** What a migration does before its transaction, so that this holds nobody up. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { splitPhases } from "../../../runtime/database/migration-files.ts";
import { bothDatabases, freshDatabase } from "../../support/database.ts";
import { migrationLab, schema } from "../../support/migration-lab.ts";

const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };

const target = { type: "relation", target: "api::tag.tag" };
const files = (relation: string) => ({
  "page/schema.json": schema("page", { best: { ...target, relation } }),
  "tag/schema.json": schema("tag", { name: { type: "string" } }),
});

test.each(bothDatabases)(
  "a column is filled before the transaction, over again after an interruption, and what is written meanwhile counts, on %s",
  async (kind) => {
    const lab = await migrationLab(databases[kind], onTestFinished);
    await lab.change(files("oneToMany"));
    await lab.up();
    await lab.run(`insert into documents values ('a', 'api::tag.tag'), ('b', 'api::tag.tag');
      insert into documents select 'p' || n, 'api::page.page' from generate_series(1, 4) as n;
      insert into pages (document_id, created_at, updated_at, published_at) select 'p' || n, now(), now(), now() from generate_series(1, 4) as n;
      insert into pages_best (version_id, document_id, position) select id, 'a', 1 from pages where document_id <> 'p4';
      insert into pages_best (version_id, document_id, position) select id, 'b', 2 from pages where document_id = 'p1'`);
    const name = await lab.change(files("oneToOne"), ["narrow:pages_best"]);
    const { before, inside } = splitPhases(readFileSync(path.join(lab.migrations, String(name), "up.sql"), "utf8"));
    // Nothing in the transaction keeps readers waiting while content moves.
    expect(inside).not.toContain("add column");
    // Interrupted twice before the transaction: nothing is noted of it, and it is done over again.
    for (const statement of [...before, ...before]) await lab.run(statement);
    await lab.run(`delete from pages_best where version_id = (select id from pages where document_id = 'p2');
      update pages_best set document_id = 'b' where version_id = (select id from pages where document_id = 'p3');
      insert into pages_best (version_id, document_id, position) select id, 'b', 1 from pages where document_id = 'p4'`);
    await lab.up();
    expect(await lab.rows("select document_id, best_document_id from pages order by document_id")).toEqual([
      ["p1", "a"],
      ["p2", null],
      ["p3", "b"],
      ["p4", "b"],
    ]);
    await lab.down();
    expect(await lab.rows("select count(*)::int from pages_best")).toEqual([[3]]);
  },
);
