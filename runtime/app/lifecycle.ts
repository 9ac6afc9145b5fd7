/** `bootstrap` and `destroy` of `content-types/app.ts`: code of the user's that runs as a server starts and ends. */
import { ServiceUnavailableError } from "../base/errors.ts";
import { SetupError } from "../base/setup-error.ts";
import { traceOf } from "../base/thrown.ts";
import type { HookServices } from "../documents/hooks.ts";
import type { Services } from "../http/services.ts";
import type { Application } from "./application.ts";

/** What a project refuses to start with needs no place; a fault of its code does. */
const reasonOf = (error: unknown): string => (error instanceof SetupError ? error.message : traceOf(error));

/**
 * Runs `bootstrap`, where there is one.
 *
 * @throws SetupError when it fails
 */
export const bootstrap = async ({ app }: Application, services: Services): Promise<void> => {
  try {
    await app?.bootstrap?.({ services });
  } catch (error) {
    throw new SetupError(`bootstrap of app.ts failed: ${reasonOf(error)}`, { cause: error });
  }
};

/**
 * Adds the services that the application makes for itself to `own`, which all others have already.
 *
 * @throws SetupError when they cannot be made
 */
export const addOwnServices = async ({ app }: Application, services: HookServices, own: object): Promise<void> => {
  try {
    Object.assign(own, await app?.services?.({ services }));
  } catch (error) {
    throw new SetupError(`services of app.ts failed: ${reasonOf(error)}`, { cause: error });
  }
};

/**
 * Runs the health checks of the application.
 *
 * @throws ServiceUnavailableError when one of them fails; why is logged
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

/** Runs `destroy`, where there is one; a failure is logged. */
export const destroy = async ({ app }: Application, services: Services): Promise<void> => {
  try {
    await app?.destroy?.({ services });
  } catch (error) {
    services.log.error({ err: error }, "destroy of app.ts failed");
  }
};
