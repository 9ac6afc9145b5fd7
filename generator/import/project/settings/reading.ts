/** Reads settings one by one, and tracks which nobody has read. Names are dotted paths: `rest.maxLimit`. */
import type { Place } from "../code/parse.ts";
import { memberAt, type RecordValue, type Value } from "../code/value-type.ts";
import type { Setting } from "./setting.ts";

/** A setting of the project without a counterpart, or that could not be understood. */
export interface Left {
  readonly at: Place;
  readonly name: string;
  readonly why: string;
  /** Whether nobody would notice its absence. */
  readonly isMinor?: boolean;
}

/** The settings of one file. */
export type Reading = ReturnType<typeof reading>;

type NamedValue = readonly [name: string, value: Value];

const joined = (...names: readonly string[]): string => names.filter((name) => name !== "").join(".");

const membersOf = (value: Value, name: string): readonly NamedValue[] =>
  value.kind === "record" ? [...value.members].map(([own, member]) => [joined(name, own), member]) : [];

/** The value itself, or each setting in it. */
const leaves = (value: Value, name: string): readonly NamedValue[] => {
  const members = membersOf(value, name);
  return members.length > 0 ? members.flatMap(([own, member]) => leaves(member, own)) : [[name, value]];
};

/** Code that adds something to a record, or to one within it, and cannot be read. */
const unreadIn = (value: Value, name: string): readonly NamedValue[] => [
  ...(value.kind === "record" ? (value.unread ?? []) : []).map((each) => [name, each] as const),
  ...membersOf(value, name).flatMap(([own, member]) => unreadIn(member, own)),
];

/** A line for unreadable code. */
export const unreadLine = (name: string, value: Value): Left => ({
  at: value.at,
  name: `${name} ${value.kind === "unknown" ? `\`${value.text}\`` : ""}`.trim(),
  why: UNREADABLE,
});

export const NO_COUNTERPART = "has no counterpart here";
export const UNREADABLE = "cannot be read without running it";

/**
 * @param file what it says
 * @param prefix goes before the names of what is left
 * @param settings those of the new project, to which readers add
 */
export const reading = (file: RecordValue, prefix = "", settings: Setting[] = []) => {
  const taken: string[] = [];
  const left: Left[] = [];
  const isTaken = (name: string): boolean => taken.some((each) => `${name}.`.startsWith(`${each}.`));
  return {
    /** Reads the value of a name; marks it and everything in it as read. */
    take(name: string): Value | undefined {
      const found = memberAt(file, name.split("."));
      if (found) taken.push(name);
      return found;
    },
    /** Sets something of the new project. */
    set: (name: string, expression: string, from: string): void => void settings.push({ name, expression, from }),
    isSet: (name: string): boolean => settings.some((each) => each.name === name),
    /** Records why a value that was read could not be converted. */
    leave: (name: string, value: Value, why: string, isMinor = false) =>
      void left.push({ at: value.at, name: joined(prefix, name), why, isMinor }),
    /** The settings that were left, including those that nobody read. */
    left: (): readonly Left[] => [
      ...left,
      ...unreadIn(file, prefix).map(([name, value]) => unreadLine(name, value)),
      ...leaves(file, "").flatMap(([name, value]) => {
        // An empty object sets nothing.
        if (name === "" || isTaken(name) || value.kind === "record") return [];
        const why = value.kind === "unknown" ? UNREADABLE : NO_COUNTERPART;
        return [{ at: value.at, name: joined(prefix, name), why }];
      }),
    ],
  };
};
