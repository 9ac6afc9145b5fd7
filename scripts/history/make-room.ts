/** Changes the content at which a migration would stop, as its message asks: such values are emptied. */
import type { Found } from "../../generator/commands/migrate/count.ts";
import type { AttributeOutline, Snapshot } from "../../generator/migrate/snapshot.ts";
import { quote } from "../../generator/migrate/sql.ts";
import type { Database } from "../../runtime/database/database.ts";

/** The place in `values beyond 2147483647 of articles.views`. */
const placeIn = (what: string): readonly [owner: string, name: string] | undefined => {
  const place = /.* of (\S+\.\S+)/.exec(what)?.[1];
  if (place === undefined) return undefined;
  const dot = place.lastIndexOf(".");
  return [place.slice(0, dot), place.slice(dot + 1)];
};

const isEntry = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Entries of components in a value, each with its component. */
const entriesIn = (
  snapshot: Snapshot,
  attribute: AttributeOutline,
  value: unknown,
): readonly (readonly [uid: string, entry: Record<string, unknown>])[] => {
  if (attribute.kind !== "component" && attribute.kind !== "dynamiczone") return [];
  return [value].flat().flatMap((entry) => {
    if (!isEntry(entry)) return [];
    const uid = attribute.kind === "component" ? attribute.component : String(entry["__component"]);
    const fields = Object.entries(snapshot.components[uid]?.attributes ?? {});
    return [[uid, entry], ...fields.flatMap(([name, field]) => entriesIn(snapshot, field, entry[name]))];
  });
};

/** Empties a field of a component in all of its entries. */
const emptyField = async (database: Database, snapshot: Snapshot, owner: string, name: string): Promise<void> => {
  for (const { table, attributes } of Object.values(snapshot.contentTypes)) {
    for (const attribute of Object.values(attributes)) {
      if (attribute.kind !== "component" && attribute.kind !== "dynamiczone") continue;
      const column = quote(attribute.column);
      for (const [id, text] of await database.rows(`select id, ${column}::text from ${quote(table)}`)) {
        const value: unknown = JSON.parse(String(text));
        const entries = entriesIn(snapshot, attribute, value).filter(([uid]) => uid === owner);
        if (entries.length === 0) continue;
        for (const [, entry] of entries) entry[name] = null;
        await database.rows(`update ${quote(table)} set ${column} = $1 where id = $2`, [
          JSON.stringify(value),
          Number(id),
        ]);
      }
    }
  }
};

/** The rows that a statement of the form `select count(*) from … where …` counts. */
const COUNTED = /^select count\(\*\) from ("(?:[^"]|"")+") where ([\s\S]+)$/;

/** Empties whatever a migration would stop at; returns the places, as `table.column` or `component.field`. */
export const makeRoom = async (
  database: Database,
  snapshot: Snapshot,
  found: readonly Found[],
): Promise<readonly string[]> => {
  const emptied: string[] = [];
  for (const { what, sql, stops } of found) {
    const place = stops === undefined ? undefined : placeIn(what);
    if (place === undefined) continue;
    const [, table, where] = COUNTED.exec(sql) ?? [];
    if (Object.hasOwn(snapshot.components, place[0])) await emptyField(database, snapshot, ...place);
    else if (table !== undefined) await database.rows(`update ${table} set ${quote(place[1])} = null where ${where}`);
    else continue;
    emptied.push(place.join("."));
  }
  return emptied;
};
