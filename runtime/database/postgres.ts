/** An external PostgreSQL, by postgres.js. */
import { ServiceUnavailableError } from "../base/errors.ts";
import type { Database } from "./database.ts";
import { translate } from "./fault.ts";
import { connect, firstConnection } from "./postgres-client.ts";
import { createHolds, type Hold } from "./postgres-holds.ts";
import { onHeld, runRows, script } from "./postgres-statements.ts";
import { createTransactions } from "./postgres-transaction.ts";
import { createPreparation, RENEWAL } from "./preparation.ts";

/**
 * Connects to the PostgreSQL at `url` with at most `pool` connections.
 * Throws when it cannot be reached now; when it is lost later, statements fail with status 503 until it is back.
 */
export const openPostgres = async (url: string, pool: number): Promise<Database> => {
  const holds = createHolds();
  const { client, tuned } = await firstConnection(url, {
    max: pool,
    // Different for every process, so that they do not all connect anew at once.
    max_lifetime: Math.round((RENEWAL / 1000) * (0.5 + Math.random() / 2)),
    onclose: holds.onClose,
  });
  const rows = runRows(createPreparation());

  return {
    kind: "postgres",
    rows: (sql, parameters = []) => rows(client, sql, parameters),
    script: (sql) => script(client, sql),
    transaction: createTransactions(client, rows, holds),
    async exclusively(work) {
      const hold: Hold = { isLost: false };
      const ownHolds = createHolds();
      const onclose = (connection: number): void => {
        hold.isLost = true;
        ownHolds.onClose(connection);
      };
      const own = connect(url, { max: 1, max_lifetime: null, onclose }, tuned);
      try {
        await script(own, "select 1");
        return await work({
          ...onHeld(rows, own, hold),
          transaction: createTransactions(own, rows, ownHolds),
        });
      } finally {
        await own.end({ timeout: 5 });
      }
    },
    async listen(channel, receive) {
      const { unlisten } = await client.listen(channel, receive);
      return () =>
        unlisten().catch((error: unknown) => {
          // Where there is no connection, nobody listens.
          if (!(translate(error) instanceof ServiceUnavailableError)) throw error;
        });
    },
    close: () => client.end({ timeout: 5 }),
  };
};
