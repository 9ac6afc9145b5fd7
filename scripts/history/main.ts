/**
 * Replays the history of schema files in a git repository: `npm run history -- REPO PATH`. At every commit that changes
 * one it generates, migrates a database with content, compares every value, and adds documents; at the end it migrates
 * down and up again. Content at which a migration says that it would stop is emptied first. Prints steps, refusals, losses
 * and drift, and exits with 1 if content was lost that no header names, a header names a loss that did not happen, a step
 * failed or stopped at something else, or the database differs from what its migrations say. PATH is the folder of schema files, in
 * Strapi's layout or ours. Brings its own PostgreSQL, or uses `TEST_DATABASE_URL`.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openSources } from "../../generator/commands/generate/project.ts";
import { configSchema } from "../../runtime/config/config.ts";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import { startServer } from "../../test/support/postgres-server.ts";
import { checkOut, commitsOf } from "./commits.ts";
import { Replay, type Step } from "./replay.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const sayAll = (label: string, entries: readonly string[]): void => {
  for (const entry of entries) say(`           ${label}: ${entry.replaceAll("\n", "\n             ")}`);
};

const sayStep = ({ kept, named, silent, flags, losses, emptied, untrue, drift, problem, migration }: Step): void => {
  say(
    `           ${migration ?? "no migration"}: ${kept} values kept, ${named} lost by name, ${silent.length} without`,
  );
  if (problem !== undefined) sayAll("LEFT OUT", [problem]);
  sayAll("allowed", flags);
  sayAll("loses", losses);
  sayAll("emptied", emptied);
  sayAll("UNTRUE", untrue);
  sayAll("SILENT", silent);
  sayAll("DRIFT", drift);
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const replay = async (repository: string, folder: string, root: string, url: string): Promise<boolean> => {
  const database = await openPostgres(url, 2);
  await database.script("drop schema public cascade; create schema public");
  const { graphql } = configSchema.parse({ graphql: { artifacts: false } });
  const work = new Replay(database, { ...(await openSources(root, undefined)), graphql });
  const commits = commitsOf(repository, folder);
  const steps: Step[] = [];
  for (const [index, commit] of commits.entries()) {
    say(`${String(index + 1).padStart(4)} ${commit.hash.slice(0, 8)} ${commit.date} ${commit.subject.slice(0, 80)}`);
    const step = await work.step(checkOut(repository, commit, folder, path.join(root, "checkout")));
    sayStep(step);
    steps.push(step);
  }
  const back = await work.thereAndBack();
  await database.close();
  say(
    `${back.downs} downs one by one, then all at once, and up again each time, in ${Math.round(back.milliseconds)} ms: ${back.kept} values kept, ${back.named} lost by name`,
  );
  sayAll("STOPPED HALF-WAY", back.stopped);
  sayAll("emptied", back.emptied);
  sayAll("SILENT", back.silent);
  sayAll("DRIFT", back.drift);
  const made = steps.filter(({ migration }) => migration !== undefined);
  const problems = steps.filter(({ problem }) => problem !== undefined);
  const silent = sum([...steps, back].map((each) => each.silent.length));
  const untrue = sum(steps.map((each) => each.untrue.length));
  const drift = sum([...steps, back].map((each) => each.drift.length));
  say(
    `${commits.length} steps, ${made.length} migrations, ${made.filter(({ flags }) => flags.length > 0).length} refused at first, ` +
      `${problems.length} left out, ${sum(steps.map(({ kept }) => kept))} values kept, ` +
      `${sum(steps.map(({ named }) => named))} lost by name, ${silent} lost without, ${untrue} untrue losses in headers, ` +
      `${back.stopped.length} downs that stopped half-way, ${drift} differences from the snapshot`,
  );
  return (
    silent +
      untrue +
      back.stopped.length +
      drift +
      problems.filter(({ problem = "" }) => !problem.startsWith("errors in")).length ===
    0
  );
};

const [repository, folder = "content-types"] = process.argv.slice(2);
if (repository === undefined) {
  process.stderr.write("usage: npm run history -- REPO PATH\n");
  process.exitCode = 2;
} else {
  const server = await startServer();
  const root = mkdtempSync(path.join(tmpdir(), "galley-history-"));
  mkdirSync(path.join(root, "content-types"));
  const isRight = await replay(path.resolve(repository), folder, root, server.url).finally(async () => {
    rmSync(root, { recursive: true, force: true });
    await server.stop();
  });
  // The server package makes the process exit with 0 by default.
  process.exit(isRight ? 0 : 1);
}
