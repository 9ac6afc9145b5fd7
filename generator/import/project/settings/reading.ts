/** Reads settings one by one, and knows which nobody has asked for. */
import type { Place } from "../code/parse.ts";
import type { RecordValue, Value } from "../code/value-type.ts";

/** A setting of the project that there is no counterpart for, or that could not be understood. */
export interface Left {
  readonly at: Place;
  /** Its path, such as `rest.maxLimit`. */
  readonly name: string;
  readonly why: string;
  /** Whether it changes nothing that anybody would miss. */
  readonly isMinor?: boolean;
}

/** The settings of one file. */
export interface Reading {
  /** The value at a path; it is taken, with all that is in it. */
  take(...path: readonly string[]): Value | undefined;
  /** Says of a value that was taken why it could not be taken over. */
  leave(path: readonly string[], value: Value, why: string, isMinor?: boolean): void;
  /** What was left, and every setting that nobody took. */
  left(): readonly Left[];
}

const at = (value: Value | undefined, path: readonly string[]): Value | undefined => {
  const [first, ...rest] = path;
  if (first === undefined || value === undefined) return value;
  return value.kind === "record" ? at(value.members.get(first), rest) : undefined;
};

/** A record that says nothing, or each of its settings. */
const leaves = (value: Value, path: readonly string[]): readonly (readonly [readonly string[], Value])[] =>
  value.kind === "record" && value.members.size > 0
    ? [...value.members].flatMap(([name, member]) => leaves(member, [...path, name]))
    : [[path, value]];

/** Code that puts something into a record or one within it, and does not show what. */
const unreadIn = (value: Value, path: readonly string[]): readonly (readonly [readonly string[], Value])[] =>
  value.kind === "record"
    ? [
        ...(value.unread ?? []).map((each) => [path, each] as const),
        ...[...value.members].flatMap(([name, member]) => unreadIn(member, [...path, name])),
      ]
    : [];

/** A line for code that cannot be read. */
export const unreadLine = (name: string, value: Value): Left => ({
  at: value.at,
  name: `${name} ${value.kind === "unknown" ? `\`${value.text}\`` : ""}`.trim(),
  why: UNREADABLE,
});

export const NO_COUNTERPART = "has no counterpart here";
export const UNREADABLE = "cannot be read without running it";

/** An object without members says nothing. */
const isEmpty = (value: Value): boolean => value.kind === "record" && value.members.size === 0;

/** @param settings What the file says; @param prefix goes before the names of what is left */
export const reading = (settings: RecordValue, prefix: readonly string[] = []): Reading => {
  const taken = new Set<string>();
  const left: Left[] = [];
  const nameOf = (path: readonly string[]): string => [...prefix, ...path].join(".");
  const isTaken = (path: readonly string[]): boolean =>
    path.some((_, index) => taken.has(JSON.stringify(path.slice(0, index + 1))));
  return {
    take(...path) {
      const found = at(settings, path);
      if (found) taken.add(JSON.stringify(path));
      return found;
    },
    leave: (path, value, why, isMinor = false) => void left.push({ at: value.at, name: nameOf(path), why, isMinor }),
    left: () => [
      ...left,
      ...unreadIn(settings, []).map(([path, value]) => unreadLine(nameOf(path), value)),
      ...leaves(settings, []).flatMap(([path, value]) => {
        if (path.length === 0 || isTaken(path) || isEmpty(value)) return [];
        const why = value.kind === "unknown" ? UNREADABLE : NO_COUNTERPART;
        return [{ at: value.at, name: nameOf(path), why }];
      }),
    ],
  };
};
