/** Which rows hold something that changes: the others are not touched. */
import { isMany } from "../names/meaning.ts";
import type { Snapshot } from "../snapshot.ts";
import { literal } from "../sql.ts";
import type { EntryChange, EntryRef, EntryStep, ValueStep } from "./json-change.ts";
import { fieldOf } from "./json-sql.ts";
import { isJson, type Json } from "./stored-entries.ts";

/** Whether the SQL of a value is of one that changes. */
type Condition = (value: string) => string;

const isEntry: Condition = (value) => `json_typeof(${value}) = 'object'`;
const isFilled: Condition = (value) => `${value} -> 0 is not null`;

/** Conditions for one value; where there would be more, whatever has an entry is taken. */
const MOST = 20;

interface Known {
  readonly old: Snapshot;
  readonly changes: readonly EntryChange[];
  /** Those that have been found, which entries in many fields share. */
  readonly conditions: Map<EntryChange | undefined, readonly Condition[]>;
}

/** Conditions for a step to do anything, of which one suffices; none for one that always does. */
const heldByStep = (known: Known, uid: string, step: EntryStep): readonly Condition[] => {
  if (step.kind !== "change") return [];
  const { field } = step;
  const attribute = known.old.components[uid]?.attributes[field];
  if (attribute && isMany(attribute)) return [(entry) => isFilled(fieldOf(entry, field))];
  if (!attribute || !isJson(attribute)) return [(entry) => `${entry} ->> ${literal(field)} is not null`];
  return whereHeld(known, attribute, step.steps).map((condition) => (entry) => condition(fieldOf(entry, field)));
};

/** An entry changes with whatever it has, or only with what it has in some fields. */
const heldInEntry = (known: Known, { old, new: is }: EntryRef): readonly Condition[] => {
  const change = known.changes.find(({ entry }) => entry.old === old && entry.new === is);
  const before = known.conditions.get(change);
  if (before) return before;
  const found = change?.steps.map((step) => heldByStep(known, old, step)) ?? [];
  const isKnown = found.length > 0 && found.every((each) => each.length > 0) && found.flat().length <= MOST;
  const conditions = isKnown ? found.flat() : [isEntry];
  known.conditions.set(change, conditions);
  return conditions;
};

/** Components whose entries in a zone change by a step; none where all of them do. */
const namedBy = (step: ValueStep): readonly string[] => {
  if (step.kind === "eachOf") return [step.entry.old];
  if (step.kind === "without") return step.components;
  return step.kind === "renameComponents" ? Object.keys(step.names) : [];
};

/** Conditions for a value to change, of which one suffices. */
export const whereHeld = (known: Known, before: Json, steps: readonly ValueStep[]): readonly Condition[] => {
  const named = steps.map(namedBy);
  if (before.kind === "dynamiczone" && named.every((each) => each.length > 0)) {
    return [(value) => `galley_has(${value}, ${[...new Set(named.flat())].map(literal).join(", ")})`];
  }
  const [step, ...others] = steps;
  if (step?.kind === "each" && others.length === 0) return [isFilled];
  if (step?.kind === "entry" && others.length === 0) return heldInEntry(known, step.entry);
  return [(value) => `json_typeof(${value}) <> 'null'`];
};
