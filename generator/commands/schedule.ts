/** `cms schedule list`: shows scheduled publishing and unpublishing. */
import type { Command } from "commander";
import type { Project } from "../../runtime/app/project.ts";
import { SetupError } from "../../runtime/base/thrown.ts";
import { listSchedules } from "../../runtime/schedules/rows.ts";
import type { SourceOf } from "./command.ts";
import { printRows } from "./terminal.ts";
import { onProject } from "./with-project.ts";

interface ListOptions {
  readonly all?: boolean;
}

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .command("list")
    .description("list what is going to be published or unpublished, and when")
    .option("--all", "also what was done, cancelled or given up in the last 30 days")
    .action(onProject(sourceOf, list));
};

/** @throws SetupError when no type has schedules */
const list = async ({ application, database }: Project, { all = false }: ListOptions): Promise<void> => {
  const types = Object.values(application.contentTypes).flatMap(({ type }) => (type.schedule ? [type] : []));
  if (types.length === 0) throw new SetupError('no content type has "schedule": true in its options');
  const found = await Promise.all(
    types.map(async (type) => (await listSchedules(database, type, all)).map((each) => ({ ...each, uid: type.uid }))),
  );
  const rows = found
    .flat()
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
    .map(({ at, action, uid, documentId, locale, state, reason, by }) => {
      const outcome = reason === null ? state : `${state}: ${reason}`;
      return [at, action, uid, documentId, locale, outcome, by];
    });
  printRows(rows, "Nothing is scheduled.");
};
