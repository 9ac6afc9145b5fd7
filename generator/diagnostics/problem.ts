import type { Problem, Severity } from "./diagnostic.ts";

/** One row of the table of codes. `summary` may use Markdown; `message` is one sentence in the user's words. */
export const define = <Parameters>(
  code: string,
  severity: Severity,
  summary: string,
  message: (parameters: Parameters) => string,
): Problem<Parameters> => ({ code, severity, summary, message });

/** A name from a schema file, safe to print whatever is in it. */
export const quote = (name: string): string => JSON.stringify(name);

/** Parameters of a message about one attribute. */
export interface Named {
  readonly attribute: string;
}
