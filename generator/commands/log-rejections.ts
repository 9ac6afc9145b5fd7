import type { Logger } from "../../runtime/base/log.ts";

/** Promises of the project that nobody waits for fail without ending the server: others are being answered. */
export const logRejections = (log: Logger): void => {
  process.on("unhandledRejection", (error) => {
    log.error({ err: error }, "a promise failed that nobody waited for: a `catch` or `await` is missing");
  });
};
