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

/** Texts with commas between them; undefined if one is missing, or they need more than `room` characters. */
const joined = (texts: Iterable<string | undefined>, room: number): string | undefined => {
  let line = "";
  for (const text of texts) {
    if (text === undefined || line.length + text.length > room) return undefined;
    line += line === "" ? text : `, ${text}`;
  }
  return line;
};

function* flatItems(items: readonly unknown[], room: number): Generator<string | undefined> {
  for (const item of items) yield flat(item, room);
}

function* flatMembers(value: Readonly<Record<string, unknown>>, room: number): Generator<string | undefined> {
  for (const [name, member] of Object.entries(value)) {
    const text = flat(member, room);
    yield text === undefined ? undefined : `${JSON.stringify(name)}: ${text}`;
  }
}

/**
 * The value on one line; undefined where it has to be broken. It stops as soon as `room` characters are exceeded: most of
 * a large document does not fit on a line on any of its levels.
 */
const flat = (value: unknown, room: number): string | undefined => {
  if (Array.isArray(value)) {
    const items = isBroken(value) ? undefined : joined(flatItems(value, room), room);
    return items === undefined ? undefined : `[${items}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = joined(flatMembers(value, room), room);
  if (members === undefined) return undefined;
  return members === "" ? "{}" : `{ ${members} }`;
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
  const line = isOpen ? undefined : flat(value, room);
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
