/** Sets aside content that a change of tables would remove, and restores it when there is a place for it again. */
import type { Session } from "../../../../runtime/database/database.ts";
import type { Snapshot, Table } from "../../../migrate/snapshot.ts";
import { quote, quoteAll } from "../../../migrate/sql.ts";
import { Shape, type Values } from "./leaves.ts";
import { leftAside, settle } from "./settle.ts";

/** A table; undefined if it is gone. */
type Place = readonly [name: string, table: Table | undefined];

/** A change of tables, kept in the database until it completes. */
interface Underway {
  readonly before: Snapshot;
  /** The names of tables that change. */
  readonly tables: readonly string[];
  /** Whether migrations are undone: a value may go and come back as something else. */
  readonly isRedone: boolean;
}

const describe = (snapshot: Snapshot, table: string): string =>
  JSON.stringify([new Shape(snapshot, table), snapshot.tables[table], Object.keys(snapshot.contentTypes)]);

/**
 * SQL for the rows of a table: their key and the texts of their columns. Omits nulls, so a new column changes nothing.
 */
const selectRows = (name: string, { primaryKey }: Table): string => `select
  jsonb_build_array(${(primaryKey?.columns ?? []).map((column) => `t.${quote(column)}`).join(", ")})::text as key,
  (select json_object_agg(c.key, c.value) from json_each_text(row_to_json(t)) c where c.value is not null)::text as "row"
from ${quote(name)} t`;

const readUnderway = async (session: Session): Promise<Underway | undefined> => {
  const [row] = await session.rows(`select "row" from galley_before where tab = ''`);
  return row && JSON.parse(String(row[0]));
};

/**
 * Records the content of tables before they change. Keeps the record of a change that was interrupted.
 *
 * @param others the states in between and after
 */
export const beginTransition = async (
  session: Session,
  before: Snapshot,
  others: readonly Snapshot[],
  isRedone: boolean,
): Promise<void> => {
  if (await readUnderway(session)) return;
  await session.script(`truncate galley_before`);
  const isChanged = (name: string) => others.some((other) => describe(before, name) !== describe(other, name));
  const tables = Object.keys(before.tables).filter(isChanged);
  for (const name of tables) {
    const { [name]: table } = before.tables;
    if (!table?.primaryKey) continue;
    await session.rows(`insert into galley_before select $1, * from (${selectRows(name, table)}) r`, [name]);
  }
  const underway: Underway = { before, tables, isRedone };
  await session.rows(`insert into galley_before values ('', '', $1)`, [JSON.stringify(underway)]);
};

/** The tables whose content was recorded, and new ones; referenced tables come first. */
const placesOf = ({ before, tables }: Underway, after: Snapshot): readonly Place[] => {
  const first = [...Object.values(after.contentTypes).map(({ table }) => table), "documents"];
  return [...tables, ...Object.keys(after.tables).filter((name) => !before.tables[name])]
    .toSorted((a, b) => first.indexOf(b) - first.indexOf(a))
    .map((name) => [name, after.tables[name]]);
};

/** New rows get ids that no restored row has, and a version that the change itself made gives way to a restored one. */
const makeRoom = async (session: Session, [name]: Place, { id = null, ...row }: Values): Promise<void> => {
  await session.rows(
    `delete from ${quote(name)} t where to_json(t)->>'document_id' = $1 and (to_json(t)->>'published_at' is null) = $2
  and to_json(t)->>'locale' is not distinct from $3
  and not exists (select from galley_before b where b.tab = $4 and b.key = jsonb_build_array(t.id)::text)`,
    [String(row["document_id"]), row["published_at"] === undefined, row["locale"] ? String(row["locale"]) : null, name],
  );
  await session.rows(`select setval(s, greatest(nextval(s), $2)) from pg_get_serial_sequence($1, 'id') s`, [
    quote(name),
    String(id),
  ]);
};

/**
 * Writes a row, or one column of it. Returns whether that worked: its target may be gone, or the value may exist
 * elsewhere.
 */
const writes = (session: Session, place: Place, row: Values, column?: string): Promise<boolean> => {
  const [names, [name, table]] = [Object.keys(row), place];
  const texts = names.map((each, at) => `$${at + 1}::text::${table?.columns[each]?.type}`);
  const conflict = `on conflict (${quoteAll(table?.primaryKey?.columns ?? [])}) do update set`;
  const set = column === undefined ? "" : `${conflict} ${quote(column)} = excluded.${quote(column)}`;
  const written = session.transaction(async (transaction) => {
    if (column === undefined && table?.columns["published_at"]) await makeRoom(transaction, place, row);
    await transaction.rows(
      `insert into ${quote(name)} (${quoteAll(names)}) overriding system value values (${texts.join(", ")}) ${set}`,
      names.map((each) => String(row[each])),
    );
  });
  return written.then(
    () => true,
    () => false,
  );
};

/** Writes what is known of a row; returns what it holds then. */
const write = async (session: Session, place: Place, after: Values | undefined, wanted: Values) => {
  if (!after) return (await writes(session, place, wanted)) ? wanted : undefined;
  const stands: Record<string, Values[string]> = { ...after };
  for (const [name, value] of Object.entries(wanted))
    if (value !== after[name] && (await writes(session, place, { ...after, [name]: value }, name)))
      stands[name] = value;
  return stands;
};

const parse = (text: unknown): Values | undefined => (typeof text === "string" ? JSON.parse(text) : undefined);

/** Settles the rows of a table that changed, and those of which something is set aside. */
const settleTable = async (
  session: Session,
  place: Place,
  { before, isRedone }: Underway,
  after: Snapshot,
): Promise<void> => {
  const [name, table] = place;
  const [previous, shape] = [new Shape(before, name), new Shape(after, name)];
  const now = table ? selectRows(name, table) : `select '' as key, '' as "row" where false`;
  const rows = await session.rows(
    `select key, c.aside, b."row", n."row" from (select * from galley_before where tab = $1) b full join (${now}) n using (key)
full join (select * from galley_set_aside where tab = $1) c using (key) where c.aside is not null or b."row" is distinct from n."row"`,
    [name],
  );
  for (const [key = null, aside, was, is] of rows) {
    const [leaves, row] = [previous.leavesOf(parse(was)), parse(is)];
    // A hand-written migration deleted it.
    const isDeleted = !isRedone && table?.columns["published_at"] && !row && leaves.has(shape.row);
    const known = isDeleted
      ? new Map()
      : settle(JSON.parse(String(aside ?? "{}")), leaves, shape.leavesOf(row), isRedone);
    const wanted = table && shape.rowOf(known);
    const stands = wanted ? await write(session, place, row, wanted) : row;
    const left = JSON.stringify(leftAside(known, shape.leavesOf(stands)));
    await session.rows(
      left === "{}"
        ? `delete from galley_set_aside where (tab, key, '{}') = ($1, $2, $3)`
        : `insert into galley_set_aside values ($1, $2, $3) on conflict (tab, key) do update
set aside = $3, at = case when galley_set_aside.aside = $3 then galley_set_aside.at else now() end`,
      [name, key, left],
    );
  }
};

/** Restores content into the tables as they are now. */
export const endTransition = async (session: Session, after: Snapshot): Promise<void> => {
  const underway = await readUnderway(session);
  if (!underway) return;
  for (const place of placesOf(underway, after)) await settleTable(session, place, underway, after);
  await session.script(`truncate galley_before`);
};

/**
 * Empties recorded tables and columns that a migration drops or blocks on: their content comes back later if it can.
 *
 * @param others the states in between and after
 */
export const clearContent = async (session: Session, others: readonly Snapshot[]): Promise<void> => {
  const underway = await readUnderway(session);
  if (!underway) return;
  const { before, tables } = underway;
  for (const { table, attributes } of Object.values(before.contentTypes).filter((type) =>
    tables.includes(type.table),
  )) {
    // What none of them has may go on under another name.
    const stays = new Set(others.flatMap((other) => Object.keys(other.tables[table]?.columns ?? {})));
    const columns = Object.values(attributes).flatMap(({ column = "" }) =>
      stays.has(column) && !before.tables[table]?.columns[column]?.notNull ? [quote(column)] : [],
    );
    const emptied = others.at(-1)?.tables[table]
      ? columns.map((column) => `update ${quote(table)} set ${column} = null where ${column} is not null`)
      : [`delete from ${quote(table)}`];
    // The migrations undone by now may have removed it too.
    for (const sql of emptied) await session.rows(sql).catch(() => {});
  }
};
