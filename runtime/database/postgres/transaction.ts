/** Runs transactions on connections to a PostgreSQL server. */
import type { Beginning, Client, Parameter, Row, Session, Transaction } from "../database.ts";
import { faultOf } from "../fault.ts";
import { BEGIN, demandCommit, INSIDE, openTransaction, reasonOf } from "../transaction.ts";
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

/** Whether a statement changes nothing if the begin before it has failed. */
const isHarmless = (sql: string): boolean => sql.startsWith("select ") || sql.endsWith(INSIDE);

/**
 * A connection on which `begin` is under way. Until it has been answered, statements are sent only if they are
 * harmless, since they would run outside of a transaction if it failed; the others wait, and with them all that follow.
 */
const beginning = (connection: Connection, rows: Rows, begin: string) => {
  let isBegun = false;
  let isWaiting = false;
  const begun = connection.script(begin);
  begun.then(
    () => void (isBegun = true),
    () => {},
  );
  const inOrder = <Result>(harmless: boolean, send: () => Promise<Result>): Promise<Result> => {
    if (isBegun || (harmless && !isWaiting)) return send();
    isWaiting = true;
    return begun.then(send);
  };
  return {
    begun,
    async rows(sql: string, parameters?: readonly Parameter[]): Promise<readonly Row[]> {
      const answer = inOrder(isHarmless(sql), () => rows(connection, sql, parameters));
      if (isBegun) return answer;
      const [result] = await Promise.all([answer, begun]);
      return result;
    },
    script: (sql: string): Promise<string> => inOrder(false, () => connection.script(sql)),
    commit: (): Promise<string> => inOrder(true, () => connection.script("commit")),
  };
};

/**
 * @param lease gives a connection for exclusive use
 * @param begin the statement that begins a transaction
 */
export const createTransactions =
  (lease: Leased, rows: Rows, begin = BEGIN): Session["transaction"] =>
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
        commit = statements.commit();
        commit.catch(() => {});
      },
    );
    try {
      if (!readsFirst) await begun;
      const result = await work(inside.session);
      inside.close();
      await begun;
      demandCommit(await (commit ?? statements.commit()), inside.failure);
      return result;
    } catch (error) {
      inside.close();
      // A begin may fail after it has begun a transaction, and then the commit may not have been sent.
      await begun.then(async () => void (await (commit ?? rollBack(connection)))).catch(() => rollBack(connection));
      const reason = await begun.then(
        () => reasonOf(error, inside.failure),
        (failure: unknown) => failure,
      );
      // After a failover, the same host name may already point to the new primary: a new connection finds that.
      if (faultOf(reason)?.code === READ_ONLY) connection.drop("The server takes no writes");
      throw reason;
    } finally {
      inside.close();
      release();
    }
  };
