/** Services for tests of one application. */
import { createServer } from "node:net";
import { type Application, defineApplication } from "../../runtime/application.ts";
import { type ConfigInput, configSchema } from "../../runtime/config.ts";
import type { Database, Row } from "../../runtime/database/database.ts";
import { createLogger } from "../../runtime/log.ts";
import type { Services } from "../../runtime/services.ts";
import { createServices } from "../../runtime/start.ts";

export const secrets = { jwt: "a secret for tests only, long enough", tokenSalt: "a salt for tests only" };

/** A database that knows no table: every statement finds nothing. */
export const emptyDatabase = (): Database => {
  const nothing: readonly Row[] = [];
  const rows = async () => nothing;
  return {
    kind: "pglite",
    rows,
    transaction: (work) => work({ rows }),
    script: async () => {},
    listen: async () => async () => {},
    close: async () => {},
  };
};

/** Services over `database`, with nothing declared unless `application` says so, and a silent log. */
export const testServices = (
  application: Partial<Application> = {},
  { config = {}, database = emptyDatabase() }: { config?: ConfigInput; database?: Database } = {},
): Promise<Services> => {
  const parsed = configSchema.parse(config);
  return createServices({
    config: parsed,
    database,
    application: defineApplication({ contentTypes: {}, components: {}, extensions: {}, ...application }),
    secrets,
    log: createLogger({ ...parsed.logger, level: "silent" }),
  });
};

/** A port that is free now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
