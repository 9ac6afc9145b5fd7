/**
 * Reads a kept version like any other: the statements of the read engine find its rows in place of the stored ones,
 * because a common table expression hides a table of the same name.
 */
import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Reader } from "../../database/database.ts";
import { attributesOf } from "../../documents/attributes.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { KeptRow } from "./rows.ts";
import { linkRowsOf, presentValues, rowOf, type StoredRow } from "./stored.ts";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A type without its length: a cast to a type with a length would fail or truncate. */
const typeOf = (type: string): string => type.replace(/\s*\(.*?\)/, "");

/** Rows that replace those of a table; in a link table, those of the version. */
interface Shadow {
  readonly table: PgTable;
  readonly rows: readonly StoredRow[];
  /** The column with the version that a link belongs to. */
  readonly owner?: string;
}

/**
 * The common table expression. `first` is the number of the parameter with the rows, `id` that with the version's id.
 */
const expression = ({ table, owner }: Shadow, first: number, id: number): string => {
  const columns = Object.values(getTableColumns(table));
  const names = columns.map(({ name }) => quoted(name)).join(", ");
  const typed = columns.map((column) => `${quoted(column.name)} ${typeOf(column.getSQLType())}`).join(", ");
  const name = quoted(getTableName(table));
  const others =
    owner === undefined ? "" : `select ${names} from ${name} where ${quoted(owner)} <> $${id}::int union all `;
  return `${name} as (${others}select ${names} from json_to_recordset($${first}::json) as kept(${typed}))`;
};

/** Excludes statements that read no rows: `explain`, which plans another statement, and `analyze`. */
const READS = /^(?!explain|analyze)/;

/**
 * A session for reading a version.
 *
 * @param root the text of the statement that reads the version's row; other statements read its relations
 */
export const shadowed = (session: Reader, type: ContentType, kept: KeptRow, root: () => string): Reader => {
  const { content } = kept;
  const values = presentValues(type, content);
  const links = attributesOf(type).flatMap(([name, attribute]): Shadow[] => {
    if (!("link" in attribute)) return [];
    const { link } = attribute;
    return [{ table: link, owner: link.versionId.name, rows: linkRowsOf(attribute, content["id"], values.get(name)) }];
  });
  const row: Shadow = { table: type.table, rows: [rowOf(type, kept, content)] };
  return {
    rows(text, parameters = [], client) {
      const shadows = text === root() ? [row, ...links] : links;
      if (shadows.length === 0 || !READS.test(text)) return session.rows(text, parameters, client);
      const first = parameters.length + 1;
      const id = first + shadows.length;
      const expressions = shadows.map((shadow, index) => expression(shadow, first + index, id));
      const rows = shadows.map((shadow) => JSON.stringify(shadow.rows));
      const ids = links.length > 0 ? [Number(content["id"])] : [];
      return session.rows(`with ${expressions.join(", ")} (${text})`, [...parameters, ...rows, ...ids], client);
    },
  };
};
