/** One round of `cms dev`: from the files on disk to what the server runs. */
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Application } from "../../../runtime/app/application.ts";
import { grantableActions } from "../../../runtime/app/grantable-actions.ts";
import { loadApplication } from "../../../runtime/app/loader/load-application.ts";
import { loadConfig } from "../../../runtime/app/loader/load-config.ts";
import { type Ingredients, type RunningServer, startServer } from "../../../runtime/app/start.ts";
import { messageOf, SetupError } from "../../../runtime/base/thrown.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { actionsByRole } from "../../../runtime/config/permissions.ts";
import { resolveSecrets } from "../../../runtime/config/secrets.ts";
import { PortInUseError } from "../../../runtime/http/listen.ts";
import { printDiagnostics } from "../../diagnostics/print.ts";
import { changesOf } from "../../output/plan.ts";
import { announce } from "../announce.ts";
import { applyDeclared, describeChanges, type Granting } from "../apply-permissions.ts";
import { examinationOf } from "../examination.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { type Outcome, printOutcome } from "../generate/outcome.ts";
import { openSources } from "../generate/project.ts";
import { generate } from "../generate/run.ts";
import { namesIn } from "../migrate/applied.ts";
import { concernsAny } from "../migrate/count.ts";
import { checkedOut } from "../migrate/main-branch.ts";
import { withPort } from "../options.ts";
import { out } from "../terminal.ts";
import { applyMigrations } from "./migrations.ts";
import type { Output } from "./output.ts";
import { ownFrames } from "./readable-log.ts";
import { RETRIED, type Retry } from "./retry.ts";
import type { Sources } from "./sources.ts";

export interface DevelopmentFlags {
  readonly port?: number;
  readonly seed?: true;
}

export interface State extends Pick<Ingredients, "database"> {
  readonly root: string;
  readonly flags: DevelopmentFlags;
  readonly sources: Sources;
  readonly output: Output;
  readonly retry: Retry;
  /** Whether the commit checked out when the round began still is. */
  isStill: () => boolean;
  /** Undefined until a round has succeeded. */
  server?: RunningServer;
  /** The state that the server runs. */
  application?: Application;
  /** Whether the seed has run. */
  seeded?: true;
  /** The permissions last applied to roles. */
  granted?: unknown;
  /** The diagnostics last shown for the schema files. */
  found?: string;
  /** The error of the last round; undefined if it succeeded. */
  fault?: string | undefined;
}

/** Milliseconds between two checks of git's state. */
const PAUSE = 50;

/** Milliseconds to wait for a signal that has already ended another process. */
const SIGNAL = 50;

const isNews = ({ plan, migration, replaced, missing = [] }: Outcome): boolean =>
  plan === undefined ||
  changesOf(plan).length > 0 ||
  migration !== undefined ||
  replaced !== undefined ||
  missing.length > 0;

/** Brings generated code and the database up to date with the schema files; returns diagnostics for these. */
const prepare = async (state: State, config: Config, isOurs: boolean): Promise<string | undefined> => {
  const { root, database, output, server } = state;
  const project = await openSources(root, undefined);
  const ask = async () => ({ names: new Set(await namesIn(database)) });
  const outcome = await generate(
    project,
    {},
    {
      ask,
      holds: (concerns) => concernsAny(database, concerns),
      isStill: state.isStill,
    },
  );
  const found = printDiagnostics(outcome.diagnostics);
  if (!isOurs || found !== state.found) output.diagnostics(outcome);
  state.found = found;
  if (outcome.exitCode !== exitCodes.fine) return found;
  if (server === undefined || isNews(outcome)) printOutcome({ ...outcome, diagnostics: [], note: undefined }, project);
  await applyMigrations(project, config, database, state.isStill);
  return undefined;
};

/** Applies the permissions that the configuration declares, if they changed since the last time. */
const grant = async (state: State, project: Granting): Promise<void> => {
  const declared = {
    permissions: actionsByRole(project.config.permissions),
    actions: grantableActions(project.application, project.config),
  };
  if (Object.keys(declared.permissions).length === 0 || isDeepStrictEqual(state.granted, declared)) return;
  const changes = await applyDeclared(project);
  state.granted = declared;
  if (changes.length > 0) process.stdout.write(describeChanges(changes, ""));
};

/** Runs the seed once, if asked to. */
const seed = async (state: State, project: Granting): Promise<void> => {
  if (!state.flags.seed || state.seeded) return;
  const { loadSeed } = await import("../seed.ts");
  await loadSeed({ ...project, root: state.root });
  state.seeded = true;
};

/** Starts the server, or reloads the running one with the new state; `isOurs`: only generated files changed. */
const serve = async (state: State, config: Config, isOurs: boolean): Promise<void> => {
  const { root, database, server, output } = state;
  const application = await loadApplication(root, config);
  // The same code, maybe with the panel's extensions put in anew.
  if (server && isOurs && application.contentTypes === state.application?.contentTypes) return;
  const secrets = resolveSecrets(config, { root, production: process.env.NODE_ENV === "production" });
  const project: Granting = { application, command: "cms dev", config, database, secrets };
  await grant(state, project);
  await seed(state, project);
  if (server) {
    await server.replace({ application, config });
    process.stdout.write(`${out.green("reloaded")}\n`);
  } else {
    const { log } = output;
    state.server = await startServer({
      root,
      config,
      database,
      application,
      secrets,
      log,
      examine: examinationOf(root),
    });
    await announce(state.server);
  }
  state.application = application;
};

/** Asks about each refusal once. Meanwhile edited code keeps running, with the files generated before. */
const prepareOrAsk = async (state: State, config: Config, isOurs: boolean): Promise<string | undefined> => {
  try {
    return await prepare(state, config, isOurs);
  } catch (error) {
    if (!(error instanceof CommandError) || !state.server || !state.isStill()) throw error;
    if (state.fault !== error.message) state.output.error(error.message);
    state.fault = error.message;
    await serve(state, config, isOurs);
    return error.message;
  }
};

/** For unexpected errors, such as those thrown by project code, the location is shown too. */
const tell = (error: unknown): string => {
  if (!(error instanceof Error)) return messageOf(error);
  const isExpected = error instanceof SetupError || error instanceof CommandError;
  return isExpected || error.stack === undefined ? error.message : ownFrames(error.stack);
};

/**
 * Runs once; on an error, reports it and leaves the running server as it was. Returns what else to watch.
 *
 * @throws PortInUseError
 */
export const round = async (
  state: State,
  changed: ReadonlySet<string>,
  ending: AbortSignal,
): Promise<readonly string[]> => {
  const { root, flags, sources, output, retry } = state;
  // No changed file: the first round, or a retry.
  const isOurs = [...changed].every((file) => sources.isGenerated(file));
  const before = state.fault;
  const head = checkedOut(root);
  if (head === undefined) return wait(PAUSE).then(() => round(state, changed, ending));
  state.isStill = () => checkedOut(root) === head;
  try {
    const config = withPort(flags.port)(await loadConfig(root));
    state.fault = await prepareOrAsk(state, config, isOurs);
    if (state.fault === undefined) await serve(state, config, isOurs && before === undefined);
    await retry.note(undefined);
    return sources.besides();
  } catch (error) {
    // No file change would free the port, and the database must not stay open for nothing.
    if (error instanceof PortInUseError) throw error;
    if (!state.isStill()) return round(state, changed, ending);
    // Ctrl+C also ends child processes of a round, such as esbuild's: that is not an error.
    await wait(SIGNAL);
    if (ending.aborted) return [];
    const message = (await retry.note(error)) ? `${tell(error)}${RETRIED}` : tell(error);
    state.fault = message;
    // Files that we generated ourselves do not affect it.
    if (!isOurs || before !== message) output.error(message);
    return sources.besides(error);
  }
};
