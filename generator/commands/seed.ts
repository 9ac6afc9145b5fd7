/** `cms seed`: loads a project's initial content. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { system } from "../../runtime/access/caller.ts";
import type { Project } from "../../runtime/app/project.ts";
import { deleteContent, findContent } from "../../runtime/app/seed/content.ts";
import { runSeed } from "../../runtime/app/seed/context.ts";
import { oneAtATime } from "../../runtime/database/one-at-a-time.ts";
import type { Act } from "../../runtime/documents/acts.ts";
import { recordAct } from "../../runtime/documents/recorders.ts";
import type { Services } from "../../runtime/http/context.ts";
import type { SourceOf } from "./command.ts";
import { refuseForeign } from "./development-database.ts";
import { refuseFor } from "./exit-codes.ts";
import { withProgress } from "./progress.ts";
import { onProject } from "./with-project.ts";
import { withServices } from "./with-services.ts";

interface Flags {
  readonly reset?: true;
  readonly allowLoss?: true;
  readonly database?: string;
}

const HELP = `
Runs content-types/seed/index.ts. Existing documents and files are kept, so you can run it again.
  $ cms seed --reset               print what would be deleted
  $ cms seed --reset --allow-loss  delete all content and files, and start over; users, roles and tokens stay`;

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .option("--reset", "delete all content and files first (development databases)")
    .option("--allow-loss", "with --reset: delete existing content")
    .option("--database <name>", "with --reset: name of the database, if it is on another machine")
    .addHelpText("after", HELP)
    .action(onProject(sourceOf, loadSeed));
};

/** What content is loaded into. */
export type Seeded = Pick<Project, "root" | "command" | "config" | "database" | "application" | "secrets">;

/** The key of the advisory lock, and milliseconds between two attempts to take it. */
const LOCK = "7235193450145";
const PAUSE = 100;

/**
 * Runs the project's seed under a lock. It creates the documents that it does not find: two runs at once would create
 * duplicates.
 */
export const loadSeed = (project: Seeded, flags: Flags = {}): Promise<void> => {
  const { database, root } = project;
  return oneAtATime({ database, root, name: "seed", key: LOCK, taken: () => sleep(PAUSE) }, () => load(project, flags));
};

const count = ({ length }: readonly unknown[], what: string): string => `${length} ${what}${length === 1 ? "" : "s"}`;

/** Deletes all content and files, if that is allowed or there are none. */
const clear = async (services: Services, allowLoss: Flags["allowLoss"]): Promise<void> => {
  const content = await findContent(services);
  const amounts = [count(content.documents, "document"), count(content.files, "file")];
  if (!allowLoss && content.documents.length + content.files.length > 0)
    refuseFor("this deletes; nothing was changed:", amounts, "to allow it: --allow-loss");
  await withProgress("deleting", (show) => deleteContent(services, content, show));
  process.stdout.write(`seed: ${amounts.join(" and ")} deleted\n`);
};

const load = async (project: Seeded, { reset, allowLoss, database }: Flags): Promise<void> => {
  if (reset) refuseForeign(project.config, database);
  await withServices(project, async (services) => {
    if (reset) await clear(services, allowLoss);
    const record = (details: Act["details"] = {}): Promise<void> =>
      recordAct(services.database, services.recorders, { action: "content.seed", details }, system);
    await record();
    const { created, present } = await withProgress("seeding", (show) => runSeed(project.root, services, show));
    await record({ created, present });
    process.stdout.write(`seed: ${created} created, ${present} there before\n`);
  });
};
