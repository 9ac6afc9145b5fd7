/** The audit log of a project: records who did what, lists it, and deletes expired entries. */
import { setTimeout as sleep } from "node:timers/promises";
import { system } from "../access/caller.ts";
import type { Config } from "../config/config.ts";
import { type Database, sendAll, type Session } from "../database/database.ts";
import { RETENTION } from "../database/migrations/append-only.ts";
import type { Act } from "../documents/acts.ts";
import { type Recorder, recordAct } from "../documents/recorders.ts";
import type { Feature, Services } from "../http/context.ts";
import { createAttempts } from "../telemetry/attempts.ts";
import { type Author, CODE, commandAuthor, insertion } from "./entries.ts";
import { Failures } from "./failures.ts";
import { createRecorder, sumOf } from "./recorder.ts";
import { auditRoutes } from "./routes.ts";
import { auditLog } from "./tables.ts";

type Audit = NonNullable<Config["audit"]>;

const MINUTE = 60_000;
/** How many minutes pass between deletions of expired entries. */
const BETWEEN = 60;
/** Most rows that one statement deletes. */
const BATCH = 5000;

/** Deletes the entries that are older than the configuration says. */
export const deleteExpired = async (database: Database, { days }: Audit, signal?: AbortSignal): Promise<void> => {
  for (let deleted = BATCH; deleted === BATCH;) {
    if (signal?.aborted) return;
    deleted = await database.transaction(async (session) => {
      await session.rows("select set_config($1, 'audit_log', true)", [RETENTION]);
      const rows = await session.rows(
        `delete from audit_log where id in (select id from audit_log
          where at < now() at time zone 'utc' - $1 * interval '1 day' order by at limit ${BATCH}) returning id`,
        [days],
      );
      return rows.length;
    });
  }
};

/** Writes the sums of failed logins every minute, and deletes expired entries every hour. */
const startRounds = ({ database, log }: Services, audit: Audit, failures: Failures): (() => Promise<void>) => {
  const ending = new AbortController();
  const { signal } = ending;
  const write = async (isLast: boolean): Promise<void> => {
    const sum = failures.take(isLast);
    if (sum) await sendAll(database, insertion([sumOf(sum)]));
  };
  const round = async (number: number): Promise<void> => {
    await write(false);
    if (number % BETWEEN === 0) await deleteExpired(database, audit, signal);
  };
  const attempt = createAttempts(log, "the audit log could not be kept up");
  const rounds = async (): Promise<void> => {
    for (let number = 0; !signal.aborted; number++) {
      await attempt(() => round(number));
      await sleep(MINUTE, undefined, { signal, ref: false }).catch(() => {});
    }
    await attempt(() => write(true));
  };
  const ended = rounds();
  return () => (ending.abort(), ended);
};

/** @param command the command that runs in this process; in a server, code of the project acts after the start */
export const openAudit = (
  audit: Audit,
  command: string | undefined,
): { readonly feature: Feature; readonly recorder: Recorder } => {
  const failures = new Failures();
  let code: Author = command === undefined ? CODE : commandAuthor(command);
  const start = async (services: Services) => {
    code = CODE;
    return startRounds(services, audit, failures);
  };
  return {
    feature: { tables: [auditLog], routes: auditRoutes(), start },
    recorder: createRecorder(() => code, failures),
  };
};

/** Records what a command does. */
export const recorderFor = (command: string): Recorder => {
  const author = commandAuthor(command);
  return createRecorder(() => author);
};

export type MigrationAct = Extract<Act["action"], `migration.${string}`>;

/** Records a migration in its transaction. Those before the one that creates the table cannot be recorded. */
export const migrationRecorder = (command: string, action: MigrationAct) => {
  const recorders = [recorderFor(command)];
  return async (session: Session, name: string, details: Act["details"] = {}): Promise<void> => {
    const [[isThere] = []] = await session.rows("select to_regclass('audit_log') is not null");
    const act: Act = { action, subject: { type: "migration", id: name }, details };
    if (isThere === true) await recordAct(session, recorders, act, system);
  };
};
