/** How `export const name = make({ ... });` is laid out: names may be too long for the line that opens it. */
import type { Member } from "../attributes/expression.ts";
import { memberLine } from "../attributes/print.ts";

export interface Declaration {
  /** Between the equals sign and the call. */
  readonly gap: string;
  /** After the opening parenthesis. */
  readonly open: string;
  /** The members of the object, one a line or longer, indented. */
  readonly members: readonly string[];
  /** Up to the semicolon. */
  readonly close: string;
}

const WIDTH = 120;

const indented = (members: readonly Member[], indent: number): readonly string[] =>
  members.map((member) => `${" ".repeat(indent)}${memberLine(member, indent)}`);

/**
 * @param name The name that is declared.
 * @param make What is called, with its type argument.
 * @param members The members of the only argument; there must be some.
 */
export const declaration = (name: string, make: string, members: readonly Member[]): Declaration => {
  const head = `export const ${name} = ${make}(`.length;
  if (head < WIDTH) return { gap: " ", open: "{", members: indented(members, 2), close: "})" };
  if (head === WIDTH) return { gap: " ", open: "\n  {", members: indented(members, 4), close: "  },\n)" };
  return { gap: "\n  ", open: "{", members: indented(members, 4), close: "  })" };
};
