/** The kinds of output for rows: JSON text, or objects for code. */
import type { Row, Value } from "../../database/database.ts";
import type { ScalarType } from "../../schema/content-type.ts";
import type { RowSet } from "../rows/row-set.ts";

/**
 * Writes a part of a row.
 *
 * @param state belongs to the response being written
 * @param value the component to write a part of, or the value of a member; undefined for parts of the row itself
 */
export type Write<State, Out, Part = undefined> = (state: State, set: RowSet, row: Row, value: Part) => Out;

/** Writes the row at a position of a set. */
export type WriteRow<State, Out> = (state: State, set: RowSet, position: number) => Out;

/** A member of an object. */
export interface Field<State, Out, Part = undefined> {
  readonly name: string;
  readonly write: Write<State, Out, Part>;
  /** Whether an object lacks the member. */
  readonly isOmitted?: ((set: RowSet, row: Row, value: Part) => boolean) | undefined;
}

/** A kind of output: how values, objects and lists become `Out`. */
export interface Output<State, Out> {
  /** Converts a value of a column. */
  column(type: ScalarType): (value: Value) => Out;
  /** Converts a value of a component's JSON. */
  scalar(type: ScalarType, value: unknown): Out;
  /** Converts a value that was not read: null, a uid, a count. */
  plain(value: unknown): Out;
  object<Part>(fields: readonly Field<State, Out, Part>[]): Write<State, Out, Part>;
  /** @param path names of the members that lead to the list */
  list<Item>(state: State, path: string, items: readonly Item[], write: (item: Item) => Out): Out;
  /** Makes a writer of rows that several others refer to. */
  rows(write: Write<State, Out>): WriteRow<State, Out>;
}
