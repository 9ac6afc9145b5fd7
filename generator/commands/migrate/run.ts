/** The parts of `cms migrate` that need the database. */
import type { MigrationAct } from "../../../runtime/audit/feature.ts";
import type { Config } from "../../../runtime/config/config.ts";
import type { Database, Session } from "../../../runtime/database/database.ts";
import { DatabaseLockedError } from "../../../runtime/database/embedded/lock.ts";
import { openOrConnect } from "../../../runtime/database/ipc/client.ts";
import { adoptable, refuseParts } from "../../../runtime/database/migrations/adoption.ts";
import { type Migration, readMigrations } from "../../../runtime/database/migrations/files.ts";
import {
  appliedAfter,
  migrate,
  migrateDown,
  migrationStatus,
  pendingUpTo,
} from "../../../runtime/database/migrations/migrator.ts";
import { breaksOf, lossesOf, overlookedIn } from "../../migrate/report/write-sql.ts";
import type { CommandSource } from "../command.ts";
import { exitCodes, refuseFor } from "../exit-codes.ts";
import { err, out, say } from "../terminal.ts";
import type { Found } from "./count.ts";
import { driftOf, refuseDrift } from "./drift.ts";

export interface MigrateFlags {
  readonly to?: string;
  readonly dryRun?: true;
  readonly ignoreDrift?: true;
}

export interface DownFlags {
  readonly to?: string;
  readonly dryRun?: true;
  readonly allowLoss?: true;
}

const onWait = (name: string, attempt: number): void => {
  if (attempt === 1) process.stderr.write(`${err.dim(`${name} waits for a lock …`)}\n`);
};

const COMMAND = "cms migrate";

/** How often to check whether another `cms migrate` has released an embedded database, in milliseconds. */
const PATIENCE = 100;

/**
 * Opens the database, through the server if one runs; if another `cms migrate` holds it, waits. A server queues them
 * itself.
 */
const openInTurn = async (config: Config, { root, version }: CommandSource): Promise<Database> => {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await openOrConnect(config, root, { command: COMMAND, version });
    } catch (error) {
      if (!(error instanceof DatabaseLockedError) || error.command !== COMMAND) throw error;
      if (isFirst) process.stderr.write(`${err.dim("waits for another cms migrate …")}\n`);
      await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    }
  }
};

/** Opens the project's database for `work`, and always closes it. */
const withDatabase = async <Result>(
  source: CommandSource,
  work: (database: Database, folder: string, config: Config) => Promise<Result>,
): Promise<Result> => {
  const config = await source.readConfig();
  const database = await openInTurn(config, source);
  try {
    return await work(database, source.migrations(config), config);
  } finally {
    await database.close();
  }
};

/** Prints SQL files by name instead of running them. */
const printOnly = (files: readonly (readonly [file: string, sql: string])[]): void => {
  for (const [file, sql] of files) say(`${out.bold(`-- ${file}`)}\n${sql}`);
  say(files.length === 0 ? "-- nothing to do" : "-- nothing was changed (--dry-run)");
};

const sayConcerns = (found: readonly Found[]): void => {
  for (const { text } of found) say(`-- ${text}`);
};

/** Says how much content lacks a value that is now required: it stays readable, but saving it is refused. */
const reportLacking = async (database: Database, folder: string, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return;
  const { countLacking } = await import("./count.ts");
  for (const line of await countLacking(database, folder, names)) say(line);
};

const warnOfBreaks = (up: string): void => {
  for (const each of overlookedIn(up)) process.stderr.write(`${err.yellow("processes of the older build")} ${each}\n`);
  const reasons = breaksOf(up);
  if (reasons.length === 0) return;
  process.stderr.write(`${err.yellow("processes of the older build cannot go on:")} this ${reasons.join(", ")}\n`);
};

/** Records migrations in the audit log; undefined if the project has none. */
export const migrationRecorder = async ({ audit }: Config, action: MigrationAct, command = COMMAND) =>
  audit ? (await import("../../../runtime/audit/feature.ts")).migrationRecorder(command, action) : undefined;

export const runMigrate = (source: CommandSource, flags: MigrateFlags): Promise<void> =>
  withDatabase(source, async (database, folder, config) => {
    if (flags.dryRun) {
      const status = await migrationStatus(database, folder);
      const migrations = readMigrations(folder);
      const kept = new Set<string>();
      for (const [migration, parts] of adoptable(status.applied, migrations)) {
        refuseParts(migration, parts);
        say(`-- ${migration.name} is taken for applied: what it was made of is`);
        kept.add(migration.name);
      }
      const chosen = pendingUpTo(status, migrations, flags.to).filter(({ name }) => !kept.has(name));
      printOnly(chosen.map(({ name, up }) => [`${name}/up.sql`, up]));
      const names = chosen.map(({ name }) => name);
      return sayConcerns(await (await import("./count.ts")).countAll(database, folder, names, config.locales.default));
    }
    const files = new Map(readMigrations(folder).map((each) => [each.name, each]));
    const replaced = await migrationRecorder(config, "migration.replace");
    const names = await migrate(database, folder, {
      ...(flags.to === undefined ? {} : { to: flags.to }),
      onStart: (name) => {
        say(`${out.green("apply")} ${name}`);
        warnOfBreaks(files.get(name)?.up ?? "");
      },
      onWait,
      onEnd: await migrationRecorder(config, "migration.apply"),
      async onAdopt(name, parts, session) {
        await replaced?.(session, name, { replaced: parts });
        say(`${out.green("keep ")} ${name}, in the place of ${parts.join(", ")}`);
        source.memory?.applied([name], folder);
      },
      ...(flags.ignoreDrift ? {} : { before: (session, status) => refuseDrift(session, folder, status) }),
    });
    source.memory?.applied(names, folder);
    await reportLacking(database, folder, names);
    say(names.length === 0 ? "nothing to apply: the database is up to date" : `${names.length} applied`);
  });

/** Refuses to undo a change that made room for content which exists by now. */
const refuseLoss = (migrations: readonly Migration[]): void => {
  const losses = migrations.flatMap(({ name, down = "" }) => lossesOf(down).map((loss) => `${loss} (${name})`));
  refuseFor("undoing this loses content; nothing was changed:", losses, "to allow it: --allow-loss");
};

/** Names everything that would block the way back before undoing anything. */
const refuseStops = (found: readonly Found[]): void => {
  const stops = found.flatMap(({ stops, text }) => (stops === undefined ? [] : [text]));
  refuseFor("undoing this would stop at content; nothing was changed:", stops);
};

export const runDown = (source: CommandSource, flags: DownFlags): Promise<void> =>
  withDatabase(source, async (database, folder, config) => {
    const to = flags.to === undefined ? {} : { to: flags.to };
    const countIn = async (session: Session, chosen: readonly Migration[]) => {
      const names = chosen.map(({ name }) => name);
      return (await import("./count.ts")).countAll(session, folder, names, config.locales.default, "down");
    };
    if (flags.dryRun) {
      const status = await migrationStatus(database, folder);
      const chosen = appliedAfter(status, readMigrations(folder), to);
      printOnly(chosen.map(({ name, down = "-- there is no way back\n" }) => [`${name}/down.sql`, down]));
      return sayConcerns(await countIn(database, chosen));
    }
    const names = await migrateDown(database, folder, {
      ...to,
      onStart: (name) => say(`${out.yellow("undo")} ${name}`),
      onWait,
      onEnd: await migrationRecorder(config, "migration.undo"),
      async beforeUndo(session, migrations) {
        if (!flags.allowLoss) refuseLoss(migrations);
        refuseStops(await countIn(session, migrations));
      },
    });
    source.memory?.undone(names);
    say(names.length === 0 ? "nothing to undo" : `${names.length} undone`);
  });

/** A squashed migration has no file any more. */
const partOf = (name: string, migrations: readonly Migration[]): string => {
  const whole = migrations.find(({ replaces }) => replaces.includes(name));
  return whole === undefined ? "" : ` (a part of ${whole.name})`;
};

/** Prints the state; returns 1 if something is pending or does not fit. */
export const runStatus = (source: CommandSource): Promise<number> =>
  withDatabase(source, async (database, folder) => {
    const status = await migrationStatus(database, folder);
    const { applied, pending, unknown, edited } = status;
    const drift = await driftOf(database, folder, status);
    const migrations = readMigrations(folder);
    for (const { name, finished, undoing } of applied) {
      const mark = finished ? out.green("applied ") : out.yellow(undoing ? "half undone" : "unfinished");
      const note = edited.includes(name)
        ? " (its up.sql was changed since)"
        : unknown.includes(name)
          ? " (no such file)"
          : partOf(name, migrations);
      say(`${mark} ${name}${note}`);
    }
    const begun = new Set(applied.map(({ name }) => name));
    for (const { name } of pending) if (!begun.has(name)) say(`${out.yellow("pending ")} ${name}`);
    if (applied.length + pending.length === 0) say("there are no migrations");
    for (const line of drift) say(`${out.red("drift   ")} ${line}`);
    return pending.length + unknown.length + edited.length + drift.length === 0 ? exitCodes.fine : exitCodes.drift;
  });
