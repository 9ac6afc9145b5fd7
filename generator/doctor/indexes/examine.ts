/** Checks all types for missing indexes. */
import { system } from "../../../runtime/access/caller.ts";
import type { Project } from "../../../runtime/app/project.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { createQueries, type Queries } from "../../../runtime/query/index.ts";
import type { ContentType } from "../../../runtime/schema/content-type.ts";
import { createRegistry } from "../../../runtime/schema/registry.ts";
import { introspect } from "../../migrate/tables/introspect.ts";
import type { Proposal } from "../finding.ts";
import type { Reading } from "../reading.ts";
import { type Evidence, readEvidence, withUses } from "./evidence.ts";
import { readTrigrams } from "./existing.ts";
import { propose, type Proposed, type Subject } from "./propose.ts";
import { readTables, type TableEstimate } from "./tables.ts";
import { typeTables } from "./types.ts";
import { usesIn } from "./uses.ts";

/** A table with fewer rows needs no indexes to be fast. */
const LARGE = 10_000;

const NAMES = "select relname::text from pg_class where relnamespace = current_schema()::regnamespace";

/** Makes names unique by appending a number. */
const freeNames =
  (taken: Set<string>) =>
  (name: string): string => {
    let free = name;
    for (let count = 2; taken.has(free); count++) free = `${name.slice(0, 58)}_${count}`;
    taken.add(free);
    return free;
  };

/** The columns of a search, read from the statement that a request sends. */
const searchedBy = (queries: Queries, type: ContentType): readonly string[] => {
  const { plan } = queries.prepare(system, type, { _q: "a" }, { single: false, code: true });
  return usesIn(plan.page.text)
    .filter(({ kind }) => kind === "lower")
    .map(({ column }) => column);
};

/** `all` says whether to propose indexes for small types too, and for uses not observed in any request. */
export interface Examined extends Pick<Project, "application" | "config" | "database"> {
  readonly all: boolean;
}

const subjectsIn = async (
  { database, application, config, all }: Examined,
  reading: Reading,
  evidence: readonly Evidence[] | undefined,
): Promise<readonly Subject[]> => {
  const estimates: ReadonlyMap<string, TableEstimate> = await readTables(reading, database.kind === "pglite");
  const { tables } = await introspect(database);
  // No cursor reaches a client, so no secret is needed.
  const queries = createQueries(createRegistry(application), config, "");
  return typeTables(application).flatMap((each): Subject[] => {
    const [found, estimate] = [tables.get(each.table), estimates.get(each.table)];
    // The table is missing while migrations are pending, which is reported elsewhere.
    if (found === undefined || estimate === undefined) return [];
    if (estimate.rows < LARGE && !(all && each.type.uid.startsWith("api::"))) return [];
    const searched = searchedBy(queries, each.type).filter((column) => found.columns.has(column));
    const own = evidence && withUses(evidence, ({ table }) => table === each.table);
    return [{ ...each, found, estimate, searched, evidence: own }];
  });
};

/** Sorts by known cost first, then by number of reads. */
const byWorth = (one: Proposal, other: Proposal): number =>
  other.milliseconds - one.milliseconds || other.versions - one.versions;

const UNCOUNTED =
  "Nobody counts statements here: with the extension pg_stat_statements, `cms doctor` sees which requests are slow.";

const notesOn = (database: Database, proposed: readonly Proposed[], isCounted: boolean): readonly string[] => {
  const lacking = proposed.flatMap(({ lacksTrigrams, type }) => (lacksTrigrams ? [type] : []));
  const isServer = database.kind === "postgres";
  return [
    ...(lacking.length === 0
      ? []
      : [
          `Searches (_q) in ${lacking.join(", ")} read every version. An index for them needs the extension pg_trgm, which ` +
            (isServer
              ? "is not installed on this server."
              : "a PostgreSQL server has, and the embedded database has not."),
        ]),
    ...(isCounted || !isServer || proposed.length === 0 ? [] : [UNCOUNTED]),
  ];
};

/** Missing indexes, according to the catalogue and the server's statistics. Read-only. */
export const examineIndexes = async (examined: Examined, reading: Reading) => {
  const { attempt, rows } = reading;
  const evidence = await attempt("which statements were sent", () => readEvidence(reading));
  const attempted = await attempt("tables and indexes", async () => {
    const subjects = await subjectsIn(examined, reading, evidence);
    const trigrams = await readTrigrams(reading);
    const free = freeNames(new Set((await rows(NAMES)).map(([name]) => String(name))));
    return subjects.map((subject) => propose(subject, { trigrams, all: examined.all, free }));
  });
  const found = attempted ?? [];
  return {
    proposals: found.flatMap(({ proposals }) => proposals).toSorted(byWorth),
    unindexed: found
      .flatMap(({ unindexed }) => unindexed ?? [])
      .toSorted((one, other) => other.versions - one.versions),
    notes: notesOn(examined.database, found, evidence !== undefined),
  };
};
