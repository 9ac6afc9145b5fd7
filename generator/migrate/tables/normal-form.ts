/**
 * How PostgreSQL prints defaults and indexes: with casts, brackets and spellings of its own that differ between
 * versions. So we ask the database itself, through temporary tables with the same definitions.
 */
import type { Session } from "../../../runtime/database/database.ts";
import type { Column, Index, Table } from "../snapshot.ts";
import { columnDefinition, createIndex, quote } from "../sql.ts";
import { type FoundIndex, introspect, TEMPORARY } from "./introspect.ts";

/** A minimal table: the columns that a definition needs, and an index if the definition is one. */
interface Question {
  readonly columns: Readonly<Record<string, Column>>;
  readonly index?: Index;
}

export type NormalForms = Awaited<ReturnType<typeof normalForms>>;

const isPlain = ({ on, where }: Index): boolean =>
  where === undefined && on.every((part) => /^"([^"]|"")*"$/.test(part));

const defaultQuestion = (key: string, { type, default: value }: Column): Question => ({
  columns: { [key]: { type, ...(value === undefined ? {} : { default: value }) } },
});

const indexQuestion = ({ columns }: Table, index: Index): Question => {
  const text = [...index.on, index.where ?? ""].join(" ");
  const mentioned = Object.entries(columns).filter(([key]) => text.includes(quote(key)));
  return { columns: Object.fromEntries(mentioned.map(([key, { type }]) => [key, { type }])), index };
};

const questionsOf = (tables: Iterable<Table>): readonly Question[] =>
  [...tables].flatMap((table) => [
    ...Object.entries(table.columns).flatMap(([key, column]) =>
      column.default === undefined ? [] : [defaultQuestion(key, column)],
    ),
    ...Object.values(table.indexes).flatMap((index) => (isPlain(index) ? [] : [indexQuestion(table, index)])),
  ]);

/** Dropped with its transaction. */
const createTemporary = (name: string, { columns, index }: Question): string => {
  const definitions = Object.entries(columns).map(([key, column]) => columnDefinition(key, column));
  const table = `create temporary table ${quote(name)} (${definitions.join(", ")}) on commit drop;`;
  return index ? `${table}\n${createIndex(`${name}_index`, name, index, false)};` : table;
};

/** Asks for all definitions of `tables` at once; duplicates are asked for once. */
export const normalForms = async (session: Session, tables: Iterable<Table>) => {
  const asked = new Map(questionsOf(tables).map((question) => [JSON.stringify(question), question]));
  const names = new Map([...asked.keys()].map((key, position) => [key, `galley_definition_${position}`]));
  const found = await session.transaction(async (transaction) => {
    const statements = [...asked].map(([key, question]) => createTemporary(names.get(key) ?? "", question));
    await transaction.script(statements.join("\n"));
    return introspect(transaction, TEMPORARY);
  });
  const answer = (question: Question) => found.tables.get(names.get(JSON.stringify(question)) ?? "");
  return {
    default: (key: string, column: Column): string | undefined =>
      column.default === undefined ? undefined : answer(defaultQuestion(key, column))?.columns.get(key)?.default,
    /** Undefined for an index of plain columns, which prints the same everywhere. */
    index: (table: Table, index: Index): Pick<FoundIndex, "on" | "where"> | undefined =>
      isPlain(index) ? undefined : answer(indexQuestion(table, index))?.indexes.values().next().value,
  };
};
