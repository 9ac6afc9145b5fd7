/** Scheduled tasks. */
import { Node } from "ts-morph";
import { memberOf, membersOf } from "../code/members.ts";
import { type CodeReader, placeOf, quotedLine } from "../code/parse.ts";
import { textOf } from "../code/value-type.ts";
import { valueOf } from "../code/value.ts";
import type { StrapiProject } from "../project.ts";
import { configFile } from "../settings/files.ts";
import { type Finding, finding } from "./finding.ts";

/** A task of the project. */
export type CronTask = ReturnType<typeof cronTasks>[number];

const textAt = (reader: CodeReader, node: Node | undefined): string | undefined =>
  textOf(node && valueOf(reader, node));

/** A pattern as its name, or below `options`. */
const PATTERN = /^[\d*/,?LW#A-Za-z-]+(?:\s+[\d*/,?LW#A-Za-z-]+){4,5}$/;

/** Tasks run only if `cron.enabled` is true. */
const conditionOf = (reader: CodeReader, cron: Node): string | undefined => {
  const enabled = memberOf(reader, cron, "enabled");
  const value = enabled && valueOf(reader, enabled);
  if (enabled === undefined || (value?.kind === "literal" && !value.value)) return "is switched off: `cron.enabled`";
  if (value?.kind === "literal") return undefined;
  return `runs only if ${quotedLine(enabled)}`;
};

/** The tasks that `config/server` names, wherever they are declared. */
export const cronTasks = ({ reader }: StrapiProject) => {
  const server = configFile(reader, "server")?.node;
  const cron = server && memberOf(reader, server, "cron");
  const tasks = cron && memberOf(reader, cron, "tasks");
  if (cron === undefined || tasks === undefined) return [];
  const condition = conditionOf(reader, cron);
  return membersOf(reader, tasks).map(({ name, node, whole }) => {
    const options = memberOf(reader, node, "options");
    const schedule = textAt(reader, options) ?? textAt(reader, options && memberOf(reader, options, "rule"));
    return {
      name,
      /** Undefined if it is not a text. */
      schedule: schedule ?? (PATTERN.test(name) ? name : undefined),
      timeZone: textAt(reader, options && memberOf(reader, options, "tz")),
      /** The condition under which it runs; undefined if it always runs. */
      condition,
      at: placeOf(whole),
      /** Its source. */
      text: whole.getText(),
    };
  });
};

/** A finding for each task; one for the setting if tasks cannot be told apart. */
export const cronFindings = (project: StrapiProject): readonly Finding[] => {
  const found = cronTasks(project).map(({ name, schedule, condition, at }) =>
    finding("cron", name, at, schedule === name ? undefined : schedule, condition),
  );
  const server = configFile(project.reader, "server")?.node;
  const cron = server && memberOf(project.reader, server, "cron");
  const tasks = cron && memberOf(project.reader, cron, "tasks");
  if (found.length > 0 || tasks === undefined) return found;
  const isEmpty = Node.isObjectLiteralExpression(tasks) && tasks.getProperties().length === 0;
  return isEmpty ? [] : [finding("cron", "cron.tasks, which could not be read", placeOf(tasks))];
};
