/** Services for tests of one application. */
import { type Application, defineApplication } from "../../runtime/app/application.ts";
import { createServices } from "../../runtime/app/start.ts";
import { createLogger, type Logger } from "../../runtime/base/log.ts";
import { type ConfigInput, configSchema } from "../../runtime/config/config.ts";
import type { Database, Session } from "../../runtime/database/database.ts";
import { openTransaction } from "../../runtime/database/transaction.ts";
import type { Services } from "../../runtime/http/context.ts";

export const secrets = { jwt: "a secret for tests only, long enough", tokenSalt: "a salt for tests only" };

/** A database that knows no table: every statement finds nothing. */
export const emptyDatabase = (): Database => {
  const session: Session = {
    rows: async () => [],
    script: async () => {},
    transaction: (work) => work(openTransaction(session).session),
  };
  return {
    ...session,
    kind: "pglite",
    exclusively: (work) => work(session),
    listen: async () => async () => {},
    close: async () => {},
  };
};

/** An application that declares nothing but what is given. */
export const applicationOf = (parts: Partial<Application> = {}): Application =>
  defineApplication({ contentTypes: {}, components: {}, extensions: {}, ...parts });

/** Services over `database`, with nothing declared unless `application` says so, and a silent log. */
export const testServices = (
  application: Partial<Application> = {},
  {
    config = {},
    database = emptyDatabase(),
    log,
  }: { readonly config?: ConfigInput; readonly database?: Database; readonly log?: Logger } = {},
): Promise<Services> => {
  const parsed = configSchema.parse({ ...config, database: { lockSeconds: 120, ...config.database } });
  return createServices({
    config: parsed,
    database,
    application: applicationOf(application),
    secrets,
    log: log ?? createLogger({ ...parsed.logger, level: "silent" }),
  });
};

export { freePort } from "./free-port.ts";
