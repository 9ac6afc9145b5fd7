/** The one document of a single type. */
import { sql } from "drizzle-orm";
import { requiredText } from "../../database/column-values.ts";
import type { Session } from "../../database/database.ts";
import { faultOf } from "../../database/fault.ts";
import { send, statementOf } from "../../database/statement.ts";
import { SINGLE_KEY } from "../../schema/columns.ts";
import type { ContentType } from "../../schema/content-type.ts";

/** The documentId of a single type's document; undefined before it is created. */
export const findSingleId = async (session: Session, { table }: ContentType): Promise<string | undefined> => {
  const statement = statementOf(
    table,
    "single",
    () => sql`select ${table.documentId} from ${table} order by ${table.id} limit 1`,
  );
  const [row] = await send(session, { statement, values: {} });
  return row && requiredText(row[0]);
};

/** Whether creating a single type's document failed because another request has just created it. */
export const isTaken = (error: unknown): boolean => {
  const fault = faultOf(error);
  return fault?.code === "23505" && fault.constraint === SINGLE_KEY;
};
