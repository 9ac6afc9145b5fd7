/** Runs transactions on connections to a PostgreSQL server. */
import type { Session, Transaction } from "./database.ts";
import { faultOf, translate } from "./fault.ts";
import type { Connection } from "./postgres-connection.ts";
import type { Lease } from "./postgres-pool.ts";
import { type Rows, script } from "./postgres-statements.ts";
import { demandCommit, openTransaction } from "./transaction.ts";

/** SQLSTATEs of a transaction in which a statement failed before, and of a server that has become read-only. */
const ABORTED = "25P02";
const READ_ONLY = "25006";

/** Rolls back. If the server does not confirm that, the connection cannot be used again. */
const rollBack = async (connection: Connection): Promise<void> => {
  try {
    await connection.script("rollback");
  } catch {
    connection.drop("A transaction could not be rolled back");
  }
};

/**
 * @param lease gives a connection for exclusive use
 * @param begin the statement that begins a transaction
 */
export const createTransactions =
  (lease: () => Promise<Lease>, rows: Rows, begin = "begin"): Session["transaction"] =>
  async <Result>(work: (session: Transaction) => Promise<Result>): Promise<Result> => {
    const { connection, release } = await lease().catch((error: unknown) => {
      throw translate(error);
    });
    let commit: Promise<string> | undefined;
    const inside = openTransaction(
      {
        rows: (sql, parameters) => rows(connection, sql, parameters),
        script: async (sql) => void (await script(connection, sql)),
      },
      () => {
        commit = connection.script("commit");
        commit.catch(() => {});
      },
    );
    try {
      await connection.script(begin);
      const result = await work(inside.session);
      inside.close();
      demandCommit(await (commit ?? connection.script("commit")), inside.failure);
      return result;
    } catch (error) {
      inside.close();
      await (commit ?? rollBack(connection)).catch(() => {});
      const code = faultOf(error)?.code;
      // After a failover, the same host name may already point to the new primary: a new connection finds that.
      if (code === READ_ONLY) connection.drop("The server takes no writes");
      throw code === ABORTED ? (inside.failure ?? error) : translate(error);
    } finally {
      inside.close();
      release();
    }
  };
