/** Runs `bootstrap` and `destroy` of `content-types/app.ts` when a server starts and stops. */
import { ServiceUnavailableError } from "../base/errors.ts";
import { SetupError, traceOf } from "../base/thrown.ts";
import type { HookServices } from "../documents/hooks.ts";
import type { Services } from "../http/context.ts";
import type { Application } from "./application.ts";

/** The message for an error: with a stack trace, except for a SetupError, which the project throws on purpose. */
const reasonOf = (error: unknown): string => (error instanceof SetupError ? error.message : traceOf(error));

/** @throws SetupError when `work`, which app.ts has under this name, fails */
const demand = async <Result>(name: string, work: () => Result): Promise<Awaited<Result>> => {
  try {
    return await work();
  } catch (error) {
    throw new SetupError(`${name} of app.ts failed: ${reasonOf(error)}`, { cause: error });
  }
};

/**
 * Runs `bootstrap`, if there is one.
 *
 * @throws SetupError when it fails
 */
export const bootstrap = async ({ app }: Application, services: Services): Promise<void> =>
  demand("bootstrap", () => app?.bootstrap?.({ services }));

/**
 * Creates the application's own services and adds them to `own`, to which all other services refer.
 *
 * @throws SetupError when creating them fails
 */
export const addOwnServices = async ({ app }: Application, services: HookServices, own: object): Promise<void> => {
  Object.assign(own, await demand("services", () => app?.services?.({ services })));
};

/**
 * Runs the health checks of the application.
 *
 * @throws ServiceUnavailableError when a check fails; the cause is logged
 */
export const demandHealth = async ({ app }: Application, services: HookServices): Promise<void> => {
  for (const [name, check] of Object.entries(app?.health ?? {})) {
    try {
      await check({ services });
    } catch (error) {
      services.log.warn({ err: error, check: name }, "a health check failed");
      throw new ServiceUnavailableError(`The check "${name}" failed`);
    }
  }
};

/** Runs `destroy`, if there is one. Errors are logged. */
export const destroy = async ({ app }: Application, services: Services): Promise<void> => {
  try {
    await app?.destroy?.({ services });
  } catch (error) {
    services.log.error({ err: error }, "destroy of app.ts failed");
  }
};
