/** Finds documents: that of a single type, that of a row, and those matching a query. */
import { sql } from "drizzle-orm";
import { type Reader, requiredText, send, type Session, statementOf } from "../../database/database.ts";
import { faultOf } from "../../database/fault.ts";
import { objectsOf, type RawQuery, readMany, unlimited } from "../../query/index.ts";
import { SINGLE_KEY } from "../../schema/columns.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { isInt4 } from "../../schema/validation/numbers.ts";
import type { OperationContext } from "./context.ts";

/** The documentId of a single type's document; undefined until it is created. */
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

/** The document of a row; and its locale, if the type has locales. */
export interface RowDocument {
  readonly documentId: string;
  readonly locale: string | null;
}

/** Finds the row with this id; undefined if there is none. */
export const findRowDocument = async (
  session: Reader,
  { table }: ContentType,
  id: number,
): Promise<RowDocument | undefined> => {
  if (!isInt4(id)) return undefined;
  const statement = statementOf(table, "document of a row", () => {
    const locale = table.locale ? sql`${table.locale}` : sql`null`;
    return sql`select ${table.documentId}, ${locale} from ${table} where ${table.id} = ${sql.placeholder("id")}`;
  });
  const [row] = await send(session, { statement, values: { id } });
  return row && { documentId: requiredText(row[0]), locale: typeof row[1] === "string" ? row[1] : null };
};

const ALL = { start: 0, limit: unlimited.maxLimit, withCount: false };

/** The ids of the documents matching a query, in its order. */
export const findIds = async (
  context: OperationContext,
  session: Session,
  type: ContentType,
  match: RawQuery,
): Promise<ReadonlySet<string>> => {
  const query = { ...match, fields: ["documentId"], pagination: ALL };
  const { documents } = await readMany({ ...context, session, limits: unlimited }, type, query);
  return new Set(objectsOf(documents).map(({ documentId }) => String(documentId)));
};
