import { literal, quote } from "../sql.ts";
/** SQL of what becomes of values that hold components. A component that changes gets one function, however often it is used. */
import type { EntryChange, EntryRef, EntryStep, ValueStep } from "./json-change.ts";
import { ENTRY, entryWith, fieldOf, GIVEN, withFields } from "./json-sql.ts";

/** PostgreSQL cuts longer names. */
const LONGEST = 63;

/** `shared.link`, `shared.link to shared.anchor`. */
const nameOf = (entry: EntryRef): string => (entry.old === entry.new ? entry.old : `${entry.old} to ${entry.new}`);

/** The function that rewrites entries, for this session alone. */
const functionOf = (entry: EntryRef): string => `pg_temp.${quote(nameOf(entry).slice(0, LONGEST))}`;

const json = (value: unknown): string =>
  literal(JSON.stringify(value).replaceAll('":"', '": "').replaceAll('","', '", "'));

const list = (texts: readonly string[]): string => texts.map(literal).join(", ");

const printStep = (step: ValueStep, value: string): string => {
  switch (step.kind) {
    case "entry":
      return `${functionOf(step.entry)}(${value})`;
    case "each":
      return `galley_each(${value}, ${literal(functionOf(step.entry))})`;
    case "eachOf":
      return `galley_each_of(${value}, ${literal(step.entry.old)}, ${literal(functionOf(step.entry))})`;
    case "without":
      return `galley_without(${value}, ${list(step.components)})`;
    case "renameComponents":
      return `galley_rename_components(${value}, ${json(step.names)})`;
    case "renameTypes":
      return `galley_rename_types(${value}, ${json(step.names)})`;
    case "name":
      return `galley_name(${value}, ${literal(step.component)})`;
    case "unname":
      return `galley_unname(${value})`;
    case "list":
      return `galley_list(${value})`;
    case "first":
      return `${value} -> 0`;
    case "type":
      return `galley_type(${value}, ${literal(step.type)})`;
    case "untype":
      return `galley_untype(${value}, ${list(step.types)})`;
    case "empty":
      return "null";
    case "sql":
      return step.value;
  }
};

/** The expression for a value after all steps. */
export const printValue = (steps: readonly ValueStep[], value: string): string =>
  steps.reduce((text, step) => printStep(step, text), value);

const printEntryStep = (step: EntryStep): string => {
  switch (step.kind) {
    case "change":
      return `galley_change(${ENTRY}, ${literal(step.field)}, ${printValue(step.steps, fieldOf(ENTRY, step.field))})`;
    case "remove":
      return `galley_remove(${ENTRY}, ${list(step.fields)})`;
    case "rename":
      return `galley_rename(${ENTRY}, ${json(step.names)})`;
    case "add":
      return withFields(ENTRY, step.fields);
    case "fill":
      return withFields(ENTRY, [[step.field, entryWith(fieldOf(ENTRY, step.field), step.fields)]]);
  }
};

/** The function for the entries of one component. */
export const printFunction = ({ entry, steps }: EntryChange): string => {
  const texts = steps.map(printEntryStep);
  const declared = texts.some((text) => text.includes(`${GIVEN} ->`)) ? [`declare ${GIVEN} json := ${ENTRY};`] : [];
  const body =
    texts.length === 1 && declared.length === 0
      ? [`begin return ${texts[0]}; end`]
      : [...declared, "begin", ...texts.map((text) => `  ${ENTRY} := ${text};`), `  return ${ENTRY};`, "end"];
  return `create or replace function ${functionOf(entry)}(${ENTRY} json) returns json language plpgsql as $$\n${body.join("\n")}\n$$;`;
};
