/** What follows from a write once it is committed: at once, or when the transaction is that it is part of. */
import type { OperationContext, OperationServices, Task } from "./context.ts";

/** Runs what follows from something that is committed; failures are logged. */
export const runTasks = async ({ log }: Pick<OperationServices, "log">, tasks: readonly Task[]): Promise<void> => {
  for (const task of tasks) {
    try {
      await task();
    } catch (error) {
      log.error({ err: error }, "a hook failed after a write");
    }
  }
};

/** Has `tasksOf` done after a write. They work outside of its transaction, with the services of the context that they get. */
export const afterwards = async (
  context: OperationContext,
  tasksOf: (context: OperationContext) => readonly Task[],
): Promise<void> => {
  const { unit } = context.services;
  if (unit) unit.afterwards(tasksOf({ ...context, services: unit.outside }));
  else await runTasks(context.services, tasksOf(context));
};
