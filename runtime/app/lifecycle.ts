/** `bootstrap` and `destroy` of `content-types/app.ts`: code of the user's that runs as a server starts and ends. */
import { SetupError } from "../base/setup-error.ts";
import type { Services } from "../http/services.ts";
import type { Application } from "./application.ts";

/**
 * Runs `bootstrap`, where there is one.
 *
 * @throws SetupError when it fails
 */
export const bootstrap = async ({ app }: Application, services: Services): Promise<void> => {
  try {
    await app?.bootstrap?.({ services });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetupError(`bootstrap of app.ts failed: ${reason}`, { cause: error });
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
