/** `cms doctor`: reports what is wrong with the database or will be slow, and the SQL to fix it. Changes nothing. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { SetupError } from "../../runtime/base/thrown.ts";
import type { Config } from "../../runtime/config/config.ts";
import type { Database } from "../../runtime/database/database.ts";
import { openOrConnect } from "../../runtime/database/ipc/client.ts";
import { type MigrationStatus, migrationStatus } from "../../runtime/database/migrations/migrator.ts";
import type { CommandSource, SourceOf } from "../commands/command.ts";
import { CommandError, exitCodes } from "../commands/exit-codes.ts";
import { rootOf } from "../commands/global-options.ts";
import { driftOf } from "../commands/migrate/drift.ts";
import { err, out } from "../commands/terminal.ts";
import type { Report } from "./finding.ts";
import { printReport } from "./print.ts";
import { examine } from "./run.ts";
import { migrationOf, statementsOf } from "./sql.ts";

interface Options {
  readonly all?: true;
  readonly json?: true;
  readonly write?: true;
}

const HELP = `
Examples:
  $ cms doctor
  $ cms doctor --write && cms migrate

It changes nothing in the database and blocks nobody. Exits with 1 if something is wrong; proposals do not count.`;

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .option("--all", "also propose indexes for small types, and for attributes that no recorded query uses")
    .option("--write", "write a migration that creates the proposed indexes")
    .option("--json", "print the result as JSON")
    .addHelpText("after", HELP)
    .action(async (options: Options, own: Command) => {
      const source = await sourceOf(rootOf(own));
      if (options.write && !source.writeMigration) {
        throw new CommandError("the migrations of a build are those of its project: run `cms doctor --write` there.");
      }
      const { report, pending } = await run(source, options.all === true);
      process.stdout.write(options.json ? asJson(report) : printReport(report, out));
      if (options.write) await write(source, report, pending);
      if (report.problems.length > 0) process.exitCode = exitCodes.drift;
    });
};

/** Seconds that a statement of this command may run, or wait for a lock. */
const PATIENCE = { statementSeconds: 5, lockSeconds: 1 };

/** The report, and the names of pending migrations. */
const run = async (source: CommandSource, all: boolean) => {
  const { root } = source;
  const config = await source.readConfig();
  demandDatabase(config, root);
  const application = await source.loadApplication(config);
  const database = await open(config, source);
  try {
    const folder = source.migrations(config);
    let pending: readonly string[] = [];
    const status = async (): Promise<MigrationStatus> => {
      const found = await migrationStatus(database, folder);
      pending = found.pending.map(({ name }) => name);
      return found;
    };
    const report = await examine({
      root,
      database,
      application,
      config,
      all,
      migrations: async () => differing(await status()),
      drift: async () => driftOf(database, folder, await status()),
    });
    return { report, pending };
  } finally {
    await database.close();
  }
};

/** One connection is enough; replicas are not checked. */
const open = (config: Config, { root, version }: CommandSource): Promise<Database> => {
  const database = { ...config.database, ...PATIENCE, pool: 1, replicas: [] };
  return openOrConnect({ database }, root, { command: "cms doctor", version });
};

/** Opening the embedded database would create it. In production, that needs explicit configuration first. */
const demandDatabase = ({ database }: Config, root: string): void => {
  if (database.url !== undefined || existsSync(path.join(root, ".cms", "data"))) return;
  if (process.env["NODE_ENV"] === "production" && !database.embedded) return;
  throw new SetupError("there is no database yet: `cms migrate` creates the embedded one, DATABASE_URL names another.");
};

/** The output of `cms migrate status`, without what is in order. */
const differing = ({ pending, unknown, edited }: MigrationStatus): readonly string[] => [
  ...pending.map(({ name }) => `${name} is pending`),
  ...unknown.map((name) => `${name} is applied, and there is no such file`),
  ...edited.map((name) => `${name} was changed after it was applied`),
];

const asJson = ({ proposals, ...report }: Report): string => {
  const printed = proposals.map((proposal) => {
    const { definition: _definition, extension: _extension, ...rest } = proposal;
    return { ...rest, sql: statementsOf(proposal) };
  });
  return `${JSON.stringify({ ...report, proposals: printed }, null, 2)}\n`;
};

const write = async (source: CommandSource, { proposals }: Report, pending: readonly string[]): Promise<void> => {
  if (proposals.length === 0 || !source.writeMigration) {
    process.stderr.write("no migration was written: there are no proposals\n");
    return;
  }
  // They may create the same indexes, as those of an earlier `--write` do.
  if (pending.length > 0) {
    process.stderr.write(
      `no migration was written: ${pending.join(", ")} first has to be applied by \`cms migrate\`\n`,
    );
    return;
  }
  const migrations = source.migrations(await source.readConfig());
  const folder = await source.writeMigration(migrations, "add indexes", migrationOf(proposals));
  process.stderr.write(`${err.green("+")} ${path.relative(source.root, folder)}/{up.sql,down.sql}\n`);
};
