/** Prints JSON as a formatter would leave it, with a line for each thing that a reviewer looks for. */
import { LINE_WIDTH } from "../attributes/text-width.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** How many levels are always open: parts of the document, paths and schemas, operations. */
const OPEN_LEVELS = 4;

/** What is open on the level below: a schema's attributes, an operation's answers. */
const OPEN = new Set(["properties", "responses"]);

/** Formatters give lists of objects with several members a line for each. */
const isBroken = (items: readonly unknown[]): boolean =>
  items.length > 1 &&
  (items.every((item) => isObject(item) && Object.keys(item).length > 1) ||
    items.every((item) => Array.isArray(item) && item.length > 1));

/** The value on one line; undefined where it has to be broken. */
const flat = (value: unknown): string | undefined => {
  if (Array.isArray(value)) {
    if (isBroken(value)) return undefined;
    const items = value.map(flat);
    return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => {
    const text = flat(member);
    return text === undefined ? undefined : `${JSON.stringify(name)}: ${text}`;
  });
  if (members.includes(undefined)) return undefined;
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
};

interface Place {
  readonly depth: number;
  /** The key that the value stands under; "" in lists. */
  readonly key: string;
}

/** @param room characters that are left on the line */
const print = (value: unknown, { depth, key }: Place, room: number): string => {
  const isOpenHere = depth < OPEN_LEVELS || (depth === OPEN_LEVELS && OPEN.has(key));
  const isOpen = isOpenHere && isObject(value) && Object.keys(value).length > 0;
  const line = isOpen ? undefined : flat(value);
  if (line !== undefined && line.length <= room) return line;
  const indent = "  ".repeat(depth + 1);
  const close = "  ".repeat(depth);
  // A comma follows all but the last.
  const left = LINE_WIDTH - indent.length - 1;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${indent}${print(item, { depth: depth + 1, key: "" }, left)}`);
    return `[\n${items.join(",\n")}\n${close}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => {
    const start = `${indent}${JSON.stringify(name)}: `;
    return `${start}${print(member, { depth: depth + 1, key: name }, LINE_WIDTH - start.length - 1)}`;
  });
  return `{\n${members.join(",\n")}\n${close}}`;
};

/** The text of a JSON file. */
export const printJson = (value: unknown): string => `${print(value, { depth: 0, key: "" }, 0)}\n`;
