/** What a configuration says: values, variables of the environment, and the conditions under which they hold. */
import type { Place } from "./parse.ts";

/** How a variable's text becomes a value. */
export type Cast = "text" | "int" | "float" | "bool" | "array" | "json";

interface Placed {
  readonly at: Place;
  /** The code of the condition under which it holds. */
  readonly condition?: string | undefined;
  /** What holds where the condition does not. */
  readonly otherwise?: Value | undefined;
}

export type Value = Placed &
  (
    | { readonly kind: "literal"; readonly value: string | number | boolean | null }
    | { readonly kind: "list"; readonly items: readonly Value[] }
    | {
        readonly kind: "record";
        readonly members: ReadonlyMap<string, Value>;
        /** Code that puts something into it, and does not show what. */
        readonly unread?: readonly Value[];
      }
    | { readonly kind: "variable"; readonly name: string; readonly cast: Cast; readonly fallback: Value | undefined }
    | { readonly kind: "unknown"; readonly text: string }
  );

export type RecordValue = Extract<Value, { readonly kind: "record" }>;

/** The text that a value is; undefined for all else. */
export const textOf = (value: Value | undefined): string | undefined =>
  value?.kind === "literal" && typeof value.value === "string" ? value.value : undefined;

/** Whether a value is this one, and no code. */
export const isLiteral = (value: Value | undefined, wanted: string | number | boolean | null): boolean =>
  value?.kind === "literal" && value.value === wanted;

/** What is in a value, by the names of the members on the way. */
export const memberAt = (value: Value | undefined, path: readonly string[]): Value | undefined =>
  path.reduce((inner, name) => (inner?.kind === "record" ? inner.members.get(name) : undefined), value);
