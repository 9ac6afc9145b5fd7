/** Prints JSON with a line for each thing that a reviewer looks for; all other line breaks are the formatter's. */
import { formatted } from "../emit/format.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** How many levels always have a line for each member: parts of the document, paths and schemas, operations. */
const OPEN_LEVELS = 4;

/** What has it on the level below: a schema's attributes, an operation's answers. */
const OPEN = new Set(["properties", "responses"]);

/** The formatter leaves an object open whose first member stands on a line of its own. */
const print = (value: unknown, depth: number, key: string): string => {
  if (depth > OPEN_LEVELS || !isObject(value) || (depth === OPEN_LEVELS && !OPEN.has(key)))
    return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${print(member, depth + 1, name)}`,
  );
  return `{\n${members.join(",\n")}\n}`;
};

/** The text of a JSON file. */
export const printJson = (file: string, value: unknown): Promise<string> => formatted(file, print(value, 0, ""));
