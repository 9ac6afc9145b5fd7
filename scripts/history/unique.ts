/** The unique indexes of a type's attributes, and how to remove duplicates that violate them. */
import type { ContentTypeOutline, Index, Snapshot, Tables } from "../../generator/migrate/snapshot.ts";
import { quote } from "../../generator/migrate/sql.ts";
import type { Database } from "../../runtime/database/database.ts";

interface UniqueColumn {
  readonly column: string;
  readonly index: Index;
}

/** Columns of attributes with their unique indexes. */
export const uniqueColumns = (
  tables: Tables,
  { table, attributes }: Pick<ContentTypeOutline, "table" | "attributes">,
): readonly UniqueColumn[] => {
  const unique = Object.values(tables[table]?.indexes ?? {}).filter((index) => index.unique);
  return Object.values(attributes).flatMap((attribute) => {
    if (attribute.kind !== "scalar") return [];
    const { column } = attribute;
    return unique
      .filter(({ on }) => on.some((part) => part.includes(quote(column))))
      .map((index) => ({ column, index }));
  });
};

/** Clears all but the first of each duplicate in a unique index; returns the columns, as `table.column`. */
export const removeDuplicates = async (database: Database, snapshot: Snapshot): Promise<readonly string[]> => {
  const emptied: string[] = [];
  for (const type of Object.values(snapshot.contentTypes)) {
    const table = quote(type.table);
    for (const { column, index } of uniqueColumns(snapshot.tables, type)) {
      const rows = await database.rows(`update ${table} set ${quote(column)} = null where id in (
        select id from (
          select id, row_number() over (partition by ${index.on.join(", ")} order by id) as nth
          from ${table} where ${index.where ?? "true"}
        ) as numbered where nth > 1
      ) returning id`);
      if (rows.length > 0) emptied.push(`${type.table}.${column}`);
    }
  }
  return emptied;
};
