import type { DocumentMember } from "../attributes/entry.ts";
import { propertyKey } from "../attributes/literal.ts";
import { LINE_WIDTH, textWidth } from "../attributes/text-width.ts";

/** A property of an interface, for a line indented by two; a long union stands one member a line. */
export const fieldLine = (name: string, { optional, union }: DocumentMember): string => {
  const head = `${propertyKey(name)}${optional ? "?" : ""}:`;
  const line = `${head} ${union.join(" | ")};`;
  const first = line.split("\n", 1).join("");
  if (textWidth(first) + 2 <= LINE_WIDTH || union.length === 1) return line;
  return `${head}\n${union.map((member) => `    | ${member}`).join("\n")};`;
};
