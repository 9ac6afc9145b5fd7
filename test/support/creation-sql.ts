/** Tables without a migration, for tests. */
import { writeSql } from "../../generator/migrate/report/write-sql.ts";
import type { Snapshot } from "../../generator/migrate/snapshot.ts";
import { emptyDraft } from "../../generator/migrate/step.ts";
import { diffSequences, diffTables } from "../../generator/migrate/tables/diff.ts";

/** The SQL that makes tables in an empty database. */
export const creationSql = ({ tables, sequences }: Pick<Snapshot, "tables" | "sequences">): string => {
  const draft = emptyDraft("up");
  diffSequences(draft, [], sequences);
  diffTables(draft, {}, tables, {
    draft,
    present: {},
    moved: new Set(),
    initial: new Map(),
    converts: new Map(),
    conversions: new Map(),
    settled: new Set(),
    revalued: new Map(),
    replaceable: new Set(),
    held: new Set(),
    prepared: new Set(),
    owners: new Map(),
    remaining: new Map(),
    before: (_table, sql) => sql,
    defaults: new Map(),
  });
  return writeSql("tables", draft);
};
