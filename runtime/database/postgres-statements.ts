/** Statements on the connections of postgres.js. */
import { ServiceUnavailableError } from "../base/errors.ts";
import type { Parameter, Row, Statements, Value } from "./database.ts";
import { translate } from "./fault.ts";
import { parameterText } from "./parameter.ts";
import type { Client } from "./postgres-client.ts";
import type { Hold, Holds } from "./postgres-holds.ts";
import type { Preparation } from "./preparation.ts";

/** The pool, or one of its connections. */
type Handle = Pick<Client, "unsafe">;

/** Runs one statement; `watch` are options of the driver. */
export type Rows = (
  handle: Handle,
  sql: string,
  parameters: readonly Parameter[],
  watch?: object,
) => Promise<readonly Row[]>;

export const runRows =
  (isPrepared: Preparation): Rows =>
  async (handle, sql, parameters, watch) => {
    const options = { prepare: isPrepared(sql), ...watch };
    try {
      const query = handle.unsafe<Record<string, Value>[]>(sql, parameters.map(parameterText), options);
      // Sent in the order of the calls, even when somebody else is the first to wait.
      return await query.values().execute();
    } catch (error) {
      throw translate(error);
    }
  };

export const script = async (handle: Handle, sql: string, watch = {}): Promise<void> => {
  try {
    await handle.unsafe(sql, [], watch);
  } catch (error) {
    throw translate(error);
  }
};

/** Statements on a connection of one's own; when it is lost, they fail at once. */
export const onHeld = (rows: Rows, handle: Handle, hold: Hold, holds?: Holds): Statements => {
  const unlessLost = async <Result>(run: (watch: object) => Promise<Result>): Promise<Result> => {
    if (hold.isLost) throw new ServiceUnavailableError("The connection to the database was lost");
    return await run(holds ? holds.watch(hold) : {});
  };
  return {
    rows: (sql, parameters = []) => unlessLost((watch) => rows(handle, sql, parameters, watch)),
    script: (sql) => unlessLost((watch) => script(handle, sql, watch)),
  };
};
