import { isMany } from "../names/meaning.ts";
import type { Snapshot } from "../snapshot.ts";
import { literal } from "../sql.ts";
/** Which rows hold something that changes: the others are not touched. */
import type { EntryChange, EntryRef, EntryStep, ValueStep } from "./json-change.ts";
import { fieldOf } from "./json-sql.ts";
import { isJson, type Json } from "./json-values.ts";

const isEntry = (value: string): string => `json_typeof(${value}) = 'object'`;
const isFilled = (value: string): string => `${value} -> 0 is not null`;

interface Known {
  readonly old: Snapshot;
  readonly changes: readonly EntryChange[];
}

/** Conditions for a step to do anything, of which one suffices; undefined for one that always does. */
const heldByStep = (known: Known, uid: string, entry: string, step: EntryStep): readonly string[] | undefined => {
  if (step.kind !== "change") return undefined;
  const attribute = known.old.components[uid]?.attributes[step.field];
  const value = fieldOf(entry, step.field);
  if (attribute && isMany(attribute)) return [isFilled(value)];
  if (attribute && isJson(attribute)) return whereHeld(known, attribute, value, step.steps);
  return [`${entry} ->> ${literal(step.field)} is not null`];
};

/** An entry changes with whatever it has, or only with what it has in some fields. */
const heldInEntry = (known: Known, { old, new: is }: EntryRef, value: string): readonly string[] => {
  const steps = known.changes.find(({ entry }) => entry.old === old && entry.new === is)?.steps ?? [];
  const found = steps.map((step) => heldByStep(known, old, value, step) ?? []);
  return found.length > 0 && found.every((each) => each.length > 0) ? found.flat() : [isEntry(value)];
};

/** Components whose entries in a zone change by a step; none where all of them do. */
const namedBy = (step: ValueStep): readonly string[] => {
  if (step.kind === "eachOf") return [step.entry.old];
  if (step.kind === "without") return step.components;
  return step.kind === "renameComponents" ? Object.keys(step.names) : [];
};

/** Conditions for a value to change, of which one suffices. */
export const whereHeld = (
  known: Known,
  before: Json,
  value: string,
  steps: readonly ValueStep[],
): readonly string[] => {
  const named = steps.map(namedBy);
  if (before.kind === "dynamiczone" && named.every((each) => each.length > 0)) {
    return [`galley_has(${value}, ${[...new Set(named.flat())].map(literal).join(", ")})`];
  }
  const [step, ...others] = steps;
  if (step?.kind === "each" && others.length === 0) return [isFilled(value)];
  if (step?.kind === "entry" && others.length === 0) return heldInEntry(known, step.entry, value);
  return [`json_typeof(${value}) <> 'null'`];
};
