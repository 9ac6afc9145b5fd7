/** What commands print. Colours are only for a terminal, and never with `NO_COLOR`. */
import type { WriteStream } from "node:tty";
import pc from "picocolors";

const colorsOf = (stream: WriteStream) => pc.createColors(stream.isTTY === true && !process.env["NO_COLOR"]);

/** For what goes to stdout. */
export const out = colorsOf(process.stdout);
/** For what goes to stderr. */
export const err = colorsOf(process.stderr);

/** Prints text to stdout, with a line end. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Says that something is done, beside the command's output. */
export const done = (text: string): void => void process.stderr.write(`${err.green("✓")} ${text}\n`);

/** Prints a table for people and for `cut`: a row per line, its cells separated by tabs; `none` if there are no rows. */
export const printRows = (rows: readonly (readonly unknown[])[], none: string): void => {
  const lines = rows.map((row) => row.map((cell) => cell ?? "-").join("\t"));
  say(lines.length > 0 ? lines.join("\n") : none);
};
