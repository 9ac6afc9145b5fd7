/** Cron tasks. */
import { Cron } from "croner";
import { type CronTask, cronTasks } from "../findings/cron.ts";
import type { StrapiProject } from "../project.ts";
import { identifier, type Piece } from "./piece.ts";

const isSchedule = (pattern: string, timezone: string | undefined): boolean => {
  try {
    return new Cron(pattern, { paused: true, ...(timezone !== undefined && { timezone }) }).nextRun() !== undefined;
  } catch {
    return false;
  }
};

const code = (name: string, { timeZone }: CronTask, schedule: string): string =>
  [
    `${name}: {`,
    `  schedule: ${JSON.stringify(schedule)},`,
    ...(timeZone === undefined ? [] : [`  timeZone: ${JSON.stringify(timeZone)},`]),
    "  run({ services }) {",
    `    services.log.warn("the task ${name} is not written yet");`,
    "  },",
    "}",
  ].join("\n");

/** A task for each readable schedule. */
export const taskPieces = (project: StrapiProject): readonly Piece[] => {
  const used = new Set<string>();
  const free = (wanted: string, count = 2): string => {
    const name = count === 2 ? wanted : `${wanted}${count - 1}`;
    return used.has(name) ? free(wanted, count + 1) : name;
  };
  return cronTasks(project).flatMap((task): readonly Piece[] => {
    const { schedule } = task;
    if (schedule === undefined || !isSchedule(schedule, task.timeZone)) return [];
    const name = free(schedule === task.name ? "task" : identifier(task.name));
    used.add(name);
    return [
      {
        uid: undefined,
        section: "tasks",
        key: name,
        code: code(name, task, schedule),
        at: task.at,
        original: task.text,
        remark: "Writes to the log until it is written.",
      },
    ];
  });
};
