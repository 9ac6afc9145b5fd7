/**
 * How a database differs from what its migrations made. Only what a snapshot names counts: tables, columns and indexes
 * that somebody added beside it are theirs.
 */
import type { Session } from "../../runtime/database/database.ts";
import { type Found, type FoundTable, introspect } from "./introspect.ts";
import type { Snapshot, Table } from "./snapshot.ts";

/** One spelling for the types that Drizzle and PostgreSQL print differently. */
const typeName = (type: string): string =>
  type
    .replace("character varying", "varchar")
    .replace(/^(time.*) without time zone$/, "$1")
    .replaceAll(" ", "");

/** Columns of an index without quotes, so that needless ones do not matter. */
const bare = (parts: readonly string[]): string => parts.map((part) => part.replaceAll('"', "").toLowerCase()).join();

const columnDrift = (name: string, expected: Table, found: FoundTable): string[] =>
  Object.entries(expected.columns).flatMap(([key, column]) => {
    const place = `${name}.${key}`;
    const is = found.columns.get(key);
    if (!is) return [`column ${place} is missing`];
    const differences: string[] = [];
    if (typeName(is.type) !== typeName(column.type)) {
      differences.push(`column ${place} is ${is.type} and should be ${column.type}`);
    }
    if (is.notNull !== (column.notNull ?? false)) {
      differences.push(`column ${place} ${is.notNull ? "forbids" : "allows"} null and should not`);
    }
    if (is.identity !== (column.identity ?? false)) differences.push(`column ${place} numbers rows differently`);
    return differences;
  });

const indexDrift = (name: string, expected: Table, found: FoundTable): string[] =>
  Object.entries(expected.indexes).flatMap(([key, index]) => {
    const is = found.indexes.get(key);
    if (!is) return [`index ${key} of ${name} is missing`];
    if (!is.valid) return [`index ${key} of ${name} is not valid: building it was interrupted`];
    const same =
      is.unique === (index.unique ?? false) &&
      is.partial === (index.where !== undefined) &&
      is.columns.length === index.on.length &&
      (index.on.some((part) => part.includes("(")) || bare(is.columns) === bare(index.on));
    return same ? [] : [`index ${key} of ${name} is defined differently`];
  });

const constraintDrift = (name: string, expected: Table, found: FoundTable): string[] => {
  const wanted = [
    ...Object.keys(expected.foreignKeys),
    ...Object.keys(expected.uniques),
    ...(expected.primaryKey ? [expected.primaryKey.name] : []),
  ];
  return wanted.flatMap((key) => {
    const definition = found.constraints.get(key);
    if (definition === undefined) return [`constraint ${key} of ${name} is missing`];
    return definition.endsWith("NOT VALID") ? [`constraint ${key} of ${name} was never checked`] : [];
  });
};

const compare = ({ tables, sequences }: Snapshot, found: Found): string[] => [
  ...Object.entries(tables).flatMap(([name, table]) => {
    const is = found.tables.get(name);
    if (!is) return [`table ${name} is missing`];
    return [...columnDrift(name, table, is), ...indexDrift(name, table, is), ...constraintDrift(name, table, is)];
  }),
  ...sequences.filter((name) => !found.sequences.has(name)).map((name) => `sequence ${name} is missing`),
];

/** What is missing or different, a line each; empty when the database is as `snapshot` says. */
export const findDrift = async (session: Session, snapshot: Snapshot): Promise<readonly string[]> =>
  compare(snapshot, await introspect(session));
