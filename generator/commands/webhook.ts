/** `cms webhook add|remove|list|test|pause|resume|deliveries|replay`: who receives events, and their deliveries. */
import type { Command } from "commander";
import { z } from "zod";
import { system } from "../../runtime/access/caller.ts";
import { commandRecorders } from "../../runtime/app/features.ts";
import type { Project } from "../../runtime/app/project.ts";
import { didYouMean } from "../../runtime/base/did-you-mean.ts";
import { type EventsConfig, webhookConfig } from "../../runtime/config/events.ts";
import {
  type Acting,
  addWebhook,
  listDeliveries,
  listWebhooks,
  newSecret,
  pauseWebhook,
  removeWebhook,
  replay,
  testWebhook,
} from "../../runtime/events/administration.ts";
import type { SourceOf } from "./command.ts";
import { CommandError } from "./exit-codes.ts";
import { listOf } from "./options.ts";
import { printSecret } from "./secret-output.ts";
import { done, printRows } from "./terminal.ts";
import { onProject } from "./with-project.ts";

const eventsOf = ({ config }: Project): EventsConfig => {
  if (config.events) return config.events;
  throw new CommandError("This project has no events: set events: {} in cms.config.ts, then cms generate.");
};

const acting = async (project: Project): Promise<Acting> => ({
  database: project.database,
  recorders: await commandRecorders(project),
  by: system,
});

const demandName = async (project: Project, name: string): Promise<void> => {
  const names = (await listWebhooks(project.database, eventsOf(project))).map((each) => each.name);
  if (!names.includes(name)) throw new CommandError(`There is no webhook "${name}".${didYouMean(name, names)}`);
};

interface AddOptions {
  readonly events?: readonly string[];
  readonly types?: readonly string[];
  readonly locales?: readonly string[];
}

const add = async (project: Project, name: string, url: string, options: AddOptions): Promise<void> => {
  const { webhooks } = eventsOf(project);
  if (webhooks.some((each) => each.name === name)) throw new CommandError(`"${name}" is defined in cms.config.ts.`);
  const secret = newSecret();
  const parsed = webhookConfig.safeParse({ name, url, secret, ...options });
  if (!parsed.success) throw new CommandError(z.prettifyError(parsed.error));
  if (!(await addWebhook(await acting(project), parsed.data)))
    throw new CommandError(`There is a webhook "${name}" already.`);
  printSecret(secret);
};

const list = async (project: Project): Promise<void> => {
  const webhooks = await listWebhooks(project.database, eventsOf(project));
  const rows = webhooks.map(({ name, host, isPaused, pending, parked }) => [
    name,
    host,
    isPaused ? "paused" : "active",
    `${pending} pending`,
    `${parked} parked`,
  ]);
  printRows(rows, "There are no webhooks.");
};

const test = async (project: Project, name: string): Promise<void> => {
  await demandName(project, name);
  const outcome = await testWebhook(project.database, eventsOf(project), name);
  if (!outcome?.isDone) throw new CommandError(`"${name}" did not take the test: ${outcome?.error ?? "unknown"}`);
  done(`"${name}" answered ${outcome.status}`);
};

const remove = async (project: Project, name: string): Promise<void> => {
  await demandName(project, name);
  if (eventsOf(project).webhooks.some((each) => each.name === name)) {
    throw new CommandError(`"${name}" is defined in cms.config.ts: remove it there.`);
  }
  await removeWebhook(await acting(project), name);
  done(`removed ${name}`);
};

const setPaused =
  (paused: boolean) =>
  async (project: Project, name: string): Promise<void> => {
    await demandName(project, name);
    await pauseWebhook(await acting(project), name, paused);
    done(paused ? `${name} is paused: what happens meanwhile waits` : `${name} goes on`);
  };

const deliveries = async (project: Project, name: string, { state }: { readonly state?: string }): Promise<void> => {
  await demandName(project, name);
  const { data } = await listDeliveries(project.database, { consumer: name, state });
  const rows = data.map((each) => {
    const took = each.milliseconds === null ? null : `${each.milliseconds} ms`;
    return [each.id, each.event, each.documentId, each.state, `${each.attempts}`, each.status, took, each.error];
  });
  printRows(rows, "There are no deliveries.");
};

const sendAgain = async (
  project: Project,
  name: string,
  { event, state }: { readonly event?: string; readonly state: string },
): Promise<void> => {
  await demandName(project, name);
  const count = await replay(await acting(project), {
    consumer: name,
    event,
    state: event === undefined ? state : undefined,
  });
  done(`${count} deliveries are sent again`);
};

export const configure = (command: Command, sourceOf: SourceOf): void => {
  const sub = (name: string, description: string): Command => command.command(name).description(description);
  sub("list", "list the webhooks and their waiting deliveries").action(onProject(sourceOf, list));
  sub("add", "add a webhook and print the secret of its signatures, which is shown only now")
    .argument("<name>", "its name")
    .argument("<url>", "the address that receives its requests")
    .option("--events <names>", "the events that it receives, separated by commas (default: all)", listOf)
    .option("--types <uids>", "the content types, separated by commas (default: all but users)", listOf)
    .option("--locales <codes>", "the locales, separated by commas (default: all)", listOf)
    .action(onProject(sourceOf, add));
  const named = (name: string, description: string): Command => sub(name, description).argument("<name>", "its name");
  named("remove", "remove a webhook and its waiting deliveries").action(onProject(sourceOf, remove));
  named("test", "send it a test event now").action(onProject(sourceOf, test));
  named("pause", "hold deliveries back").action(onProject(sourceOf, setPaused(true)));
  named("resume", "resume deliveries").action(onProject(sourceOf, setPaused(false)));
  named("deliveries", "list its deliveries, newest first")
    .option("--state <state>", "pending, done or parked")
    .action(onProject(sourceOf, deliveries));
  named("replay", "send parked deliveries again")
    .option("--event <id>", "a single event, whatever the state of its delivery")
    .option("--state <state>", "parked or done", "parked")
    .action(onProject(sourceOf, sendAgain));
};
