/**
 * Reads a kept version as any other: the statements of the read engine find its rows in the place of those that its tables
 * hold, since a common table expression hides a table of the same name.
 */
import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Reader } from "../../database/database.ts";
import { attributesOf } from "../../documents/attributes.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { KeptRow } from "./rows.ts";
import { linkRowsOf, presentValues, rowOf, type StoredRow } from "./stored.ts";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A type without its length: a cast to one with a length would fail or cut. */
const typeOf = (type: string): string => type.replace(/\s*\(.*?\)/, "");

/** Rows in the place of those of a table; of a table of links, in the place of the version's own. */
interface Shadow {
  readonly table: PgTable;
  readonly rows: readonly StoredRow[];
  /** The column of a link with the version. */
  readonly owner?: string;
}

/** The expression; `first` is the number of the parameter with the rows, before that with the version's id. */
const expression = ({ table, owner }: Shadow, first: number, id: number): string => {
  const columns = Object.values(getTableColumns(table));
  const names = columns.map(({ name }) => quoted(name)).join(", ");
  const typed = columns.map((column) => `${quoted(column.name)} ${typeOf(column.getSQLType())}`).join(", ");
  const name = quoted(getTableName(table));
  const others =
    owner === undefined ? "" : `select ${names} from ${name} where ${quoted(owner)} <> $${id}::int union all `;
  return `${name} as (${others}select ${names} from json_to_recordset($${first}::json) as kept(${typed}))`;
};

/** Statements that do not read rows: the plan of one that does, and fresh statistics. */
const READS = /^(?!explain|analyze)/;

/**
 * A session for the read of a version.
 *
 * @param root the text of the statement that reads the version's row; others read what it leads to
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
