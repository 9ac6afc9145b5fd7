/** The database as a request that writes sees it. */
import type { Client, Database } from "./database.ts";

/**
 * Gives what a request writes the share and the deadline of its client. Once something is committed there is no deadline,
 * since what follows from it has to be done; and a client that has gone ends nothing.
 */
export const writerFor = (database: Database, client: Client): Database => {
  let isCommitted = false;
  const own = (): Client => ({
    aborted: false,
    keys: client.keys ?? [],
    deadline: isCommitted ? Infinity : (client.deadline ?? Infinity),
  });
  return {
    ...database,
    rows: (sql, parameters) => database.rows(sql, parameters, own()),
    async transaction(work, beginning) {
      const result = await database.transaction(work, { ...beginning, client: own() });
      isCommitted = true;
      return result;
    },
  };
};
