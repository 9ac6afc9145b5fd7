/** How `export const name = make({ ... });` is laid out: names may be too long for the line that opens it. */
import type { Property } from "../attributes/expression.ts";
import { memberLine } from "../attributes/print.ts";
import { LINE_WIDTH } from "../attributes/text-width.ts";

export interface Declaration {
  /** Between the equals sign and the call. */
  readonly gap: string;
  /** The call, up to where the members begin. */
  readonly open: string;
  /** The members of the object, one a line or longer, indented. */
  readonly members: readonly string[];
  /** Up to the semicolon. */
  readonly close: string;
}

export interface DeclarationOptions {
  /** A function that the whole is handed to. */
  readonly wrap?: string | undefined;
  /** An object whose members come first. */
  readonly spread?: string | undefined;
}

/**
 * @param name The name that is declared.
 * @param make What is called, with its type argument.
 * @param members The members of the only argument.
 */
export const declaration = (
  name: string,
  make: string,
  members: readonly Property[],
  { wrap, spread }: DeclarationOptions = {},
): Declaration => {
  const lines = (indent: number): readonly string[] => [
    ...(spread === undefined ? [] : [`${" ".repeat(indent)}...${spread},`]),
    ...members.map((member) => `${" ".repeat(indent)}${memberLine(member, indent)}`),
  ];
  if (wrap !== undefined) return { gap: " ", open: `${wrap}(\n  ${make}({`, members: lines(4), close: "  }),\n)" };
  if (lines(2).length === 0) return { gap: " ", open: `${make}({})`, members: [], close: "" };
  const head = `export const ${name} = ${make}(`.length;
  if (head < LINE_WIDTH) return { gap: " ", open: `${make}({`, members: lines(2), close: "})" };
  if (head === LINE_WIDTH) return { gap: " ", open: `${make}(\n  {`, members: lines(4), close: "  },\n)" };
  return { gap: "\n  ", open: `${make}({`, members: lines(4), close: "  })" };
};
