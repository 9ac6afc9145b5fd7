/** Values in a configuration: literals, environment variables, and their conditions. */
import type { Place } from "./parse.ts";

/** How a variable's text is converted. */
export type Cast = "text" | "int" | "float" | "bool" | "array" | "json";

interface Placed {
  readonly at: Place;
  /** The code of the condition under which it applies. */
  readonly condition?: string | undefined;
  /** The value if the condition does not hold. */
  readonly otherwise?: Value | undefined;
}

export type Value = Placed &
  (
    | { readonly kind: "literal"; readonly value: string | number | boolean | null }
    | { readonly kind: "list"; readonly items: readonly Value[] }
    | {
        readonly kind: "record";
        readonly members: ReadonlyMap<string, Value>;
        /** Code that adds something to it, but cannot be read. */
        readonly unread?: readonly Value[];
      }
    | { readonly kind: "variable"; readonly name: string; readonly cast: Cast; readonly fallback: Value | undefined }
    | { readonly kind: "unknown"; readonly text: string }
  );

export type RecordValue = Extract<Value, { readonly kind: "record" }>;

/** The text of a value; undefined for anything but a text. */
export const textOf = (value: Value | undefined): string | undefined =>
  value?.kind === "literal" && typeof value.value === "string" ? value.value : undefined;

/** Whether a value equals this one, and is not code. */
export const isLiteral = (value: Value | undefined, wanted: string | number | boolean | null): boolean =>
  value?.kind === "literal" && value.value === wanted;

/** The values inside a value, by their path of member names. */
export const memberAt = (value: Value | undefined, path: readonly string[]): Value | undefined =>
  path.reduce((inner, name) => (inner?.kind === "record" ? inner.members.get(name) : undefined), value);
