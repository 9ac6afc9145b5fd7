/** Runs transactions on connections to a PostgreSQL server. */
import type { Beginning, Client, Parameter, Row, Session, Transaction } from "../database.ts";
import { faultOf } from "../fault.ts";
import { demandCommit, openTransaction, reasonOf } from "../transaction.ts";
import type { Connection } from "./connection.ts";
import type { Lease } from "./pool.ts";
import type { Rows } from "./preparation.ts";

/** SQLSTATE of a server that has become read-only. */
const READ_ONLY = "25006";

/** Rolls back. If the server does not confirm that, the connection cannot be used again. */
const rollBack = async (connection: Connection): Promise<void> => {
  try {
    await connection.script("rollback");
  } catch {
    connection.drop("A transaction could not be rolled back");
  }
};

type Leased = (client?: Client) => Promise<Lease>;

/**
 * A connection on which `begin` is under way. Until it has been answered, statements are sent only if they cannot
 * change anything, since they would run outside of a transaction if it failed; the others wait, in their order.
 */
const beginning = (connection: Connection, rows: Rows, begin: string) => {
  let isBegun = false;
  let isOrdered = false;
  const begun = connection.script(begin).then(() => void (isBegun = true));
  begun.catch(() => {});
  const after = async <Result>(send: () => Promise<Result>): Promise<Result> => {
    isOrdered = true;
    await begun;
    return send();
  };
  return {
    begun,
    async rows(sql: string, parameters?: readonly Parameter[]): Promise<readonly Row[]> {
      const send = () => rows(connection, sql, parameters);
      if (isBegun) return send();
      if (isOrdered || !sql.startsWith("select ")) return after(send);
      const [answer] = await Promise.all([send(), begun]);
      return answer;
    },
    script: (sql: string): Promise<string> => {
      const send = () => connection.script(sql);
      return isBegun ? send() : after(send);
    },
  };
};

/**
 * @param lease gives a connection for exclusive use
 * @param begin the statement that begins a transaction
 */
export const createTransactions =
  (lease: Leased, rows: Rows, begin = "begin"): Session["transaction"] =>
  async <Result>(
    work: (session: Transaction) => Promise<Result>,
    { readsFirst = false, client }: Beginning = {},
  ): Promise<Result> => {
    const { connection, release } = await lease(client);
    let commit: Promise<string> | undefined;
    const { begun, ...statements } = beginning(connection, rows, begin);
    const inside = openTransaction(
      { rows: statements.rows, script: async (sql) => void (await statements.script(sql)) },
      () => {
        commit = connection.script("commit");
        commit.catch(() => {});
      },
    );
    try {
      if (!readsFirst) await begun;
      // What is sent last is followed by the commit at once, so it must not be waiting for the begin.
      const last: Transaction["last"] = async (send) => {
        await begun;
        return inside.session.last(send);
      };
      const result = await work({ ...inside.session, last });
      inside.close();
      await begun;
      demandCommit(await (commit ?? connection.script("commit")), inside.failure);
      return result;
    } catch (error) {
      inside.close();
      await (commit ?? rollBack(connection)).catch(() => {});
      const reason = reasonOf(error, inside.failure);
      // After a failover, the same host name may already point to the new primary: a new connection finds that.
      if (faultOf(reason)?.code === READ_ONLY) connection.drop("The server takes no writes");
      throw reason;
    } finally {
      inside.close();
      release();
    }
  };
