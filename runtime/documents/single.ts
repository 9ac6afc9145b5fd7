import { sql } from "drizzle-orm";
import { documents } from "../columns.ts";
import type { ContentType } from "../content-type.ts";
import type { Session } from "../database/database.ts";
import { textOf } from "../database/statements.ts";
import { send, statementOf } from "./sql/statement.ts";
import { value } from "./sql/version.ts";

/** The documentId of a single type; undefined before it is created. */
export const findSingleId = async (session: Session, type: ContentType): Promise<string | undefined> => {
  const statement = statementOf(
    documents,
    "single",
    () =>
      sql`select ${documents.documentId} from ${documents} where ${documents.type} = ${value("type")} order by ${documents.documentId} limit 1`,
  );
  const [row] = await send(session, { statement, values: { type: type.uid } });
  return row && textOf(row[0]);
};
