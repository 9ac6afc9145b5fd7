/** Transactions by postgres.js. */
import { setTimeout } from "node:timers/promises";
import postgres from "postgres";
import { ServiceUnavailableError } from "../base/errors.ts";
import type { Session, Transaction } from "./database.ts";
import { translate } from "./fault.ts";
import type { Client } from "./postgres-client.ts";
import type { Holds } from "./postgres-holds.ts";
import { onHeld, type Rows } from "./postgres-statements.ts";
import { openTransaction } from "./transaction.ts";

/** The driver tells whoever waited for a connection why the last one ended, once there is a new one. */
const isOfAnother = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && translate(error) instanceof ServiceUnavailableError;

/** Milliseconds after which a connection that may be lost is taken to be there after all. */
const GRACE = 1000;

/** Whether the driver has given a transaction up; it does as soon as it notices that the connection is lost. */
const isGivenUp = (begun: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    begun.then(
      () => true,
      () => true,
    ),
    setTimeout(GRACE, false, { ref: false }),
  ]);

type Ended<Result> = { readonly result: Result } | { readonly error: unknown };

const endOf = async <Result>(work: () => Promise<Result>): Promise<Ended<Result>> => {
  try {
    return { result: await work() };
  } catch (error) {
    return { error };
  }
};

/** The driver's own transactions: its reserved connections are lost to it when they have to be opened first. */
export const createTransactions =
  (client: Client, rows: Rows, holds: Holds): Session["transaction"] =>
  async <Result>(work: (session: Transaction) => Promise<Result>): Promise<Result> => {
    let ending: Promise<Ended<Result>> | undefined;
    const run = (): Promise<unknown> => {
      const begun = client.begin(async (handle) => {
        const hold = holds.take();
        const statements = onHeld(rows, handle, hold, holds);
        const ended = await new Promise<Ended<Result> | undefined>((resolve) => {
          const inside = openTransaction(statements, () => !hold.isLost && resolve(undefined));
          ending = endOf(() => work(inside));
          void ending.then(resolve);
        });
        holds.release(hold);
        // The last statements are on their way: the driver sends the commit behind them.
        if (ended === undefined) return;
        // Whatever ended the transaction now would go to where nobody is, and bring the driver down.
        const mayBeLost = hold.isLost || ("error" in ended && ended.error instanceof ServiceUnavailableError);
        if (mayBeLost && (await isGivenUp(begun))) await new Promise(() => {});
        if ("error" in ended) throw ended.error;
      });
      return begun;
    };
    try {
      await run().catch((error: unknown) => {
        if (ending !== undefined || !isOfAnother(error)) throw error;
        return run();
      });
      const ended = await ending;
      if (ended === undefined) throw new Error("A transaction ended without a result");
      if ("error" in ended) throw ended.error;
      return ended.result;
    } catch (error) {
      throw translate(error);
    }
  };
