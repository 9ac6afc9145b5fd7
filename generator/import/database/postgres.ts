/** Reads a Strapi database in PostgreSQL, in a consistent snapshot. */
import { isRecord } from "../../../runtime/base/is-record.ts";
import { requiredText, type Row, type Session } from "../../../runtime/database/database.ts";
import { append } from "../../base/lists.ts";
import { quote } from "../../migrate/sql.ts";
import type { SourceRow, SourceTables } from "./tables.ts";

const instant = (value: string): string => `to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Converts a value to its form in an export. */
const expression = (column: string, type: string): string => {
  const name = quote(column);
  if (type === "timestamp without time zone") return instant(name);
  if (type === "timestamp with time zone") return instant(`${name} at time zone 'UTC'`);
  return type === "bigint" || type === "date" || type.startsWith("time ") ? `${name}::text` : name;
};

/** By table: the columns and their types, in order. */
type Columns = ReadonlyMap<string, readonly (readonly [name: string, type: string])[]>;

const readColumns = async (session: Session): Promise<Columns> => {
  const rows = await session.rows(
    `select table_name::text, column_name::text, data_type::text from information_schema.columns
     where table_schema = any(current_schemas(false)) order by table_name, ordinal_position`,
  );
  const columns = new Map<string, (readonly [string, string])[]>();
  for (const [table, name, type] of rows) {
    append(columns, requiredText(table), [requiredText(name), requiredText(type)]);
  }
  return columns;
};

const parsed = (rows: readonly Row[]): readonly SourceRow[] =>
  rows.map(([row]) => {
    const value: unknown = JSON.parse(requiredText(row));
    return isRecord(value) ? value : {};
  });

/** The tables as `session` sees them: in a transaction, as of its start. */
export const postgresTables = async (session: Session): Promise<SourceTables> => {
  const columns = await readColumns(session);
  const selected = (table: string): string => {
    const list = (columns.get(table) ?? []).map(([name, type]) => `${expression(name, type)} as ${quote(name)}`);
    return `select row_to_json(found)::text from (select ${list.join(", ")} from ${quote(table)}`;
  };
  return {
    columns: (table) => columns.get(table)?.map(([name]) => name),
    page: async (table, after, limit) =>
      parsed(await session.rows(`${selected(table)} where id > $1 order by id limit ${limit}) as found`, [after])),
    having: async (table, column, keys) =>
      parsed(
        await session.rows(
          `${selected(table)} where ${quote(column)} = any($1::${typeof keys[0] === "string" ? "text" : "int"}[]) order by id) as found`,
          [keys],
        ),
      ),
  };
};
