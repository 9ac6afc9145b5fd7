/**
 * Prints the SQL that changes values with components. A changing component gets one function, however often it is used.
 */
import { createHash } from "node:crypto";
import { identifier } from "../../../runtime/base/identifier.ts";
import type { Pair } from "../names/pairings.ts";
import { literal, quote } from "../sql.ts";
import type { Call, EntryChange, EntryStep, ValueStep } from "./json-change.ts";
import { ENTRY, entryWith, fieldOf, GIVEN, withFields } from "./json-sql.ts";

const print = ({ name, more }: Call, value: string): string => `galley_${name}(${[value, ...more].join(", ")})`;

/** Prints values with the functions of one migration. */
export class EntryPrinter {
  readonly #changes: readonly EntryChange[];
  readonly #hash: string;

  constructor(changes: readonly EntryChange[]) {
    this.#changes = changes;
    // Unique names: values made by an earlier attempt at another migration must not pass for those of this one.
    this.#hash = createHash("sha256").update(JSON.stringify(changes)).digest("hex").slice(0, 8);
  }

  /** The function that rewrites entries; it exists while the migration runs. */
  #functionOf({ old, new: is }: Pair): string {
    return quote(identifier("galley_entry", this.#hash, old === is ? old : `${old} to ${is}`));
  }

  /** The expression for a value after all steps. */
  value(steps: readonly ValueStep[], value: string): string {
    return steps.reduce((text, step) => this.#step(step, text), value);
  }

  #step(step: ValueStep, value: string): string {
    switch (step.kind) {
      case "entry":
        return `${this.#functionOf(step.entry)}(${value})`;
      case "each":
        return `galley_each(${value}, ${literal(this.#functionOf(step.entry))})`;
      case "eachOf":
        return `galley_each_of(${value}, ${literal(step.entry.old)}, ${literal(this.#functionOf(step.entry))})`;
      case "call":
        return print(step, value);
      case "first":
        return `${value} -> 0`;
      case "empty":
        return "null";
      case "sql":
        return step.value;
    }
  }

  #entryStep(step: EntryStep): string {
    switch (step.kind) {
      case "change":
        return `galley_change(${ENTRY}, ${literal(step.field)}, ${this.value(step.steps, fieldOf(ENTRY, step.field))})`;
      case "call":
        return print(step, ENTRY);
      case "add":
        return withFields(ENTRY, step.fields);
      case "fill":
        return withFields(ENTRY, [[step.field, entryWith(fieldOf(ENTRY, step.field), step.fields)]]);
    }
  }

  /** Statements that create the functions. */
  creations(): readonly string[] {
    return this.#changes.map(({ entry, steps }) => {
      const texts = steps.map((step) => this.#entryStep(step));
      const declared = texts.some((text) => text.includes(`${GIVEN} ->`)) ? [`declare ${GIVEN} json := ${ENTRY};`] : [];
      const body =
        texts.length === 1 && declared.length === 0
          ? [`begin return ${texts[0]}; end`]
          : [...declared, "begin", ...texts.map((text) => `  ${ENTRY} := ${text};`), `  return ${ENTRY};`, "end"];
      return `create or replace function ${this.#functionOf(entry)}(${ENTRY} json) returns json language plpgsql as $$\n${body.join("\n")}\n$$;`;
    });
  }

  /** Statements that drop them. */
  removals(): readonly string[] {
    return this.#changes.map(({ entry }) => `drop function if exists ${this.#functionOf(entry)}(json);`);
  }
}
