import type { DocumentMember } from "../attributes/entry.ts";
import { propertyKey } from "../attributes/literal.ts";
import { textWidth } from "../attributes/text-width.ts";

const WIDTH = 120;

/** A property of an interface, for a line indented by two; a long union stands one member a line. */
export const fieldLine = (name: string, { optional, union }: DocumentMember): string => {
  const head = `${propertyKey(name)}${optional ? "?" : ""}:`;
  const line = `${head} ${union.join(" | ")};`;
  const first = line.split("\n", 1).join("");
  if (textWidth(first) + 2 <= WIDTH || union.length === 1) return line;
  return `${head}\n${union.map((member) => `    | ${member}`).join("\n")};`;
};
