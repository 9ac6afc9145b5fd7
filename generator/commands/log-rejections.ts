import type { Logger } from "../../runtime/base/log.ts";

/** Logs unhandled rejections of project code without ending the server, which is serving other clients. */
export const logRejections = (log: Logger): void => {
  process.on("unhandledRejection", (error) => {
    log.error({ err: error }, "unhandled promise rejection: a `catch` or `await` is missing");
  });
};
