/** Runs single statements on connections to a PostgreSQL server. */
import type { Parameter, Row } from "../database.ts";
import { mayBeOutdated, TablesChangedError, translate } from "../fault.ts";
import type { Connection } from "./connection.ts";
import type { Preparation } from "./preparation.ts";

/** Runs one statement, prepared if that is worth it. It is sent before this returns. */
export type Rows = (connection: Connection, sql: string, parameters?: readonly Parameter[]) => Promise<readonly Row[]>;

export const createRows =
  (preparation: Preparation): Rows =>
  (connection, sql, parameters = []) => {
    const prepared = preparation.textOf(sql);
    return connection.rows(prepared ?? sql, parameters, prepared !== undefined).catch((error: unknown) => {
      if (!mayBeOutdated(error)) throw translate(error);
      preparation.failed(sql);
      if (prepared === undefined) throw error;
      throw Object.assign(new TablesChangedError("The tables of the database have changed; try again"), {
        cause: error,
      });
    });
  };

/** Runs statements without parameters, and returns the command tag of the last one. */
export const script = async (connection: Connection, sql: string): Promise<string> => {
  try {
    return await connection.script(sql);
  } catch (error) {
    throw translate(error);
  }
};
