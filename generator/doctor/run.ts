/** All steps of `cms doctor` in order. Reads the database's catalogue and statistics; changes nothing. */
import { type Problem, problem, type Report } from "./finding.ts";
import { examineActivity } from "./health/activity.ts";
import { examineSettings } from "./health/settings.ts";
import { examineStructure } from "./health/structure.ts";
import { examineSurroundings } from "./health/surroundings.ts";
import { examineUpkeep } from "./health/upkeep.ts";
import { type Examined, examineIndexes } from "./indexes/examine.ts";
import { createReading, onlyRow, type Reading } from "./reading.ts";

export interface Examination extends Examined {
  readonly root: string;
  /** Pending and unknown migrations, one per line. */
  migrations(): Promise<readonly string[]>;
  /** How the tables differ from what the migrations made of them, one difference per line. */
  drift(): Promise<readonly string[]>;
}

const ABOUT = `
select split_part(version(), ' ', 2), (select count(*)::int from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r')`;

/** Some of the drift is reported separately, with the SQL to fix it. */
const examineMigrations = async (
  { migrations, drift }: Examination,
  { attempt }: Reading,
  told: readonly Problem[],
): Promise<readonly Problem[]> => {
  const titles = new Set(told.map(({ title }) => title));
  const lines = [
    ...((await attempt("migrations", migrations)) ?? []),
    ...((await attempt("how tables differ from the migrations", drift)) ?? []),
  ].filter((line) => !titles.has(line));
  if (lines.length === 0) return [];
  const why = `See \`cms migrate status\`: ${lines.join("; ")}.`;
  return [problem("the database is not what the migrations of this project make of it", why)];
};

/** Checks that only a server needs: the embedded database has one connection and fixed settings. */
const examineServer = async (
  { database, config }: Examination,
  reading: Reading,
): Promise<Pick<Report, "problems" | "notes">> => {
  if (database.kind !== "postgres") return { problems: [], notes: [] };
  const { problems, notes } = await examineSettings(reading, config.database.pool);
  return { problems: [...problems, ...(await examineActivity(database, reading))], notes };
};

/** Runs every check once. Checks that fail to read are reported, and do not stop the others. */
export const examine = async (examination: Examination): Promise<Report> => {
  const { database, config, root } = examination;
  const reading = createReading(database);
  const [version, tables] = onlyRow(await database.rows(ABOUT));
  const structure = (await reading.attempt("indexes and constraints", () => examineStructure(reading))) ?? [];
  const drift = await examineMigrations(examination, reading, structure);
  const server = await examineServer(examination, reading);
  const upkeep = await examineUpkeep(reading);
  const indexes = await examineIndexes(examination, reading);
  return {
    version: `PostgreSQL ${version}`,
    tables: Number(tables),
    problems: [...examineSurroundings(config, root), ...drift, ...structure, ...server.problems, ...upkeep],
    proposals: indexes.proposals,
    unindexed: indexes.unindexed,
    notes: [...server.notes, ...indexes.notes],
    unread: reading.unread,
  };
};
