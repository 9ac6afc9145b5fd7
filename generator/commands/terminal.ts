/** Colours for the two output streams: only on a terminal, and never with `NO_COLOR`. */
import type { WriteStream } from "node:tty";
import pc from "picocolors";

const colorsOf = (stream: WriteStream) => pc.createColors(stream.isTTY === true && !process.env["NO_COLOR"]);

/** For what goes to stdout. */
export const out = colorsOf(process.stdout);
/** For what goes to stderr. */
export const err = colorsOf(process.stderr);
