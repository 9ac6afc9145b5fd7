/** Which document a row belongs to: clients of older versions of the wire format know the numbers of rows. */
import { sql } from "drizzle-orm";
import { requiredText } from "../database/column-values.ts";
import type { Reader } from "../database/database.ts";
import { send, statementOf } from "../database/statement.ts";
import type { ContentType } from "../schema/content-type.ts";
import { isInt4 } from "../schema/validation/numbers.ts";

/** The document of a row, and the locale where the type has any. */
export interface RowPlace {
  readonly documentId: string;
  readonly locale: string | null;
}

/** The place of the row with this number; undefined when there is none. */
export const rowPlace = async (session: Reader, { table }: ContentType, id: number): Promise<RowPlace | undefined> => {
  if (!isInt4(id)) return undefined;
  const statement = statementOf(table, "place of a row", () => {
    const locale = table.locale ? sql`${table.locale}` : sql`null`;
    return sql`select ${table.documentId}, ${locale} from ${table} where ${table.id} = ${sql.placeholder("id")}`;
  });
  const [row] = await send(session, { statement, values: { id } });
  return row && { documentId: requiredText(row[0]), locale: typeof row[1] === "string" ? row[1] : null };
};
