/** Runs tasks that follow a write: after its commit, or after that of the surrounding transaction. */
import type { OperationContext, OperationServices, Task } from "./context.ts";

/** Runs tasks after a commit. Errors are logged. */
export const runTasks = async ({ log }: Pick<OperationServices, "log">, tasks: readonly Task[]): Promise<void> => {
  for (const task of tasks) {
    try {
      await task();
    } catch (error) {
      log.error({ err: error }, "a hook failed after a write");
    }
  }
};

/**
 * Schedules the tasks of `tasksOf` after a write. They run outside of its transaction, with the services of the context
 * that they are given.
 */
export const afterwards = async (
  context: OperationContext,
  tasksOf: (context: OperationContext) => readonly Task[],
): Promise<void> => {
  const { unit } = context.services;
  if (unit) unit.afterwards(tasksOf({ ...context, services: unit.outside }));
  else await runTasks(context.services, tasksOf(context));
};
