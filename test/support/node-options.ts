/** What every `node` that tests start is told. */
import path from "node:path";

/** A value of the variable NODE_OPTIONS with `given` in it. */
export const nodeOptions = (given = process.env["NODE_OPTIONS"]): string =>
  [given, `--require ${JSON.stringify(path.join(import.meta.dirname, "unoptimized-wasm.cjs"))}`].join(" ").trim();
