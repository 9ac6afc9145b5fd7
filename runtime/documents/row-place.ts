/** Finds the document of a row: clients of older versions of the wire format use row ids. */
import { sql } from "drizzle-orm";
import { requiredText } from "../database/column-values.ts";
import type { Reader } from "../database/database.ts";
import { send, statementOf } from "../database/statement.ts";
import type { ContentType } from "../schema/content-type.ts";
import { isInt4 } from "../schema/validation/numbers.ts";

/** The document of a row; and its locale, if the type has locales. */
export interface RowPlace {
  readonly documentId: string;
  readonly locale: string | null;
}

/** Finds the row with this id; undefined if there is none. */
export const rowPlace = async (session: Reader, { table }: ContentType, id: number): Promise<RowPlace | undefined> => {
  if (!isInt4(id)) return undefined;
  const statement = statementOf(table, "place of a row", () => {
    const locale = table.locale ? sql`${table.locale}` : sql`null`;
    return sql`select ${table.documentId}, ${locale} from ${table} where ${table.id} = ${sql.placeholder("id")}`;
  });
  const [row] = await send(session, { statement, values: { id } });
  return row && { documentId: requiredText(row[0]), locale: typeof row[1] === "string" ? row[1] : null };
};
