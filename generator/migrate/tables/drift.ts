/**
 * How a database differs from what its migrations made. Only what a snapshot names counts: tables, columns, indexes and
 * constraints that somebody added are their own business.
 */
import type { Session } from "../../../runtime/database/database.ts";
import type { Index, Snapshot, Table } from "../snapshot.ts";
import { type Found, type FoundIndex, type FoundTable, foreignKeyText, introspect, keyText } from "./introspect.ts";
import { type NormalForms, normalForms } from "./normal-form.ts";

/** Normalizes types that Drizzle and PostgreSQL print differently. */
const typeName = (type: string): string =>
  type
    .replace("character varying", "varchar")
    .replace(/^(time.*) without time zone$/, "$1")
    .replaceAll(" ", "");

/** A quoted name, unquoted. */
const unquote = (part: string): string =>
  part.startsWith('"') && part.endsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part;

const differs = (place: string, is: string, should: string): string => `${place} is ${is} and should be ${should}`;

const columnDrift = (name: string, expected: Table, found: FoundTable, forms: NormalForms): string[] =>
  Object.entries(expected.columns).flatMap(([key, column]) => {
    const place = `column ${name}.${key}`;
    const is = found.columns.get(key);
    if (!is) return [`${place} is missing`];
    const differences: string[] = [];
    if (typeName(is.type) !== typeName(column.type)) differences.push(differs(place, is.type, column.type));
    if (is.notNull !== (column.notNull ?? false)) {
      differences.push(`${place} ${is.notNull ? "forbids" : "allows"} null and should not`);
    }
    if (is.identity !== (column.identity ?? false)) differences.push(`${place} numbers rows differently`);
    if (column.computed !== undefined && is.computed !== column.computed)
      differences.push(`${place} is not computed from the other columns as it should be`);
    const value = forms.default(key, column);
    if (is.default !== value) {
      differences.push(`${place} has ${defaultName(is.default)} and should have ${defaultName(value)}`);
    }
    return differences;
  });

const defaultName = (value: string | undefined): string =>
  value === undefined ? "no default" : `the default ${value}`;

const indexText = ({ unique, method, on, where }: Omit<FoundIndex, "valid">): string =>
  `${unique ? "unique " : ""}${method === "btree" ? "" : `${method} `}on (${on.map(unquote).join(", ")})` +
  (where === undefined ? "" : ` where ${where}`);

const expectedIndex = (table: Table, index: Index, forms: NormalForms): Omit<FoundIndex, "valid"> => {
  const { on, where } = forms.index(table, index) ?? { on: index.on, where: index.where };
  return { unique: index.unique ?? false, method: index.method ?? "btree", on, where };
};

const indexDrift = (name: string, expected: Table, found: FoundTable, forms: NormalForms): string[] =>
  Object.entries(expected.indexes).flatMap(([key, index]) => {
    const place = `index ${key} of ${name}`;
    const is = found.indexes.get(key);
    if (!is) return [`${place} is missing`];
    if (!is.valid) return [`${place} is not valid: building it was interrupted`];
    const [text, wanted] = [indexText(is), indexText(expectedIndex(expected, index, forms))];
    return text === wanted ? [] : [differs(place, text, wanted)];
  });

const constraintsOf = ({
  foreignKeys,
  uniques,
  primaryKey,
}: Table): readonly (readonly [name: string, text: string])[] => [
  ...Object.entries(foreignKeys).map(([key, value]) => [key, foreignKeyText(value)] as const),
  ...Object.entries(uniques).map(([key, columns]) => [key, keyText("unique", columns)] as const),
  ...(primaryKey ? [[primaryKey.name, keyText("primary key", primaryKey.columns)] as const] : []),
];

const constraintDrift = (name: string, expected: Table, found: FoundTable): string[] =>
  constraintsOf(expected).flatMap(([key, text]) => {
    const place = `constraint ${key} of ${name}`;
    const is = found.constraints.get(key);
    if (!is) return [`${place} is missing`];
    if (is.text !== text) return [differs(place, is.text, text)];
    return is.valid ? [] : [`${place} was never checked`];
  });

const missing = ({ tables, sequences }: Snapshot, found: Found): string[] => [
  ...Object.keys(tables).flatMap((name) => (found.tables.has(name) ? [] : [`table ${name} is missing`])),
  ...sequences.flatMap((name) => (found.sequences.has(name) ? [] : [`sequence ${name} is missing`])),
];

/** What is missing or different, one per line; empty if the database matches `snapshot`. */
export const findDrift = async (session: Session, snapshot: Snapshot): Promise<readonly string[]> => {
  const found = await introspect(session);
  const lines = missing(snapshot, found);
  // A definition may need the sequence: without it, PostgreSQL cannot print the definition.
  if (snapshot.sequences.some((name) => !found.sequences.has(name))) return lines;
  const forms = await normalForms(session, Object.values(snapshot.tables));
  for (const [name, table] of Object.entries(snapshot.tables)) {
    const is = found.tables.get(name);
    if (!is) continue;
    lines.push(
      ...columnDrift(name, table, is, forms),
      ...indexDrift(name, table, is, forms),
      ...constraintDrift(name, table, is),
    );
  }
  return lines;
};
