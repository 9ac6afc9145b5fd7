/** Loads and starts what publishes and unpublishes documents at a time, in applications that have it. */
import type { Schedules } from "../documents/operations/context.ts";
import type { Services } from "../http/services.ts";
import type { Application } from "./application.ts";
import { type RunningTasks, startTasks } from "./tasks.ts";

/** The schedules; undefined if no type has `options.schedule`. */
export const loadSchedules = async ({ contentTypes }: Application): Promise<Schedules | undefined> => {
  if (!Object.values(contentTypes).some(({ type }) => type.schedules)) return undefined;
  return (await import("../history/schedule/schedules.ts")).createSchedules();
};

/** Starts the scheduled tasks, and what is scheduled for documents. */
export const startScheduled = async (
  application: Application,
  services: Services,
  before: Promise<void> | undefined,
): Promise<RunningTasks> => {
  const tasks = startTasks(application, services, before);
  if (!services.schedules) return tasks;
  const { startSchedules } = await import("../history/schedule/worker.ts");
  const schedules = startSchedules(services);
  return { stop: async () => void (await Promise.all([tasks.stop(), schedules.stop()])) };
};
