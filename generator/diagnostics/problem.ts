import type { Problem, Severity } from "./diagnostic.ts";

/** One row of the table of codes. `summary` may use Markdown; `message` is one sentence in the user's words. */
export const define = <Parameters>(
  code: string,
  severity: Severity,
  summary: string,
  message: (parameters: Parameters) => string,
): Problem<Parameters> => ({ code, severity, summary, message });

/** The names that stand in braces. */
type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `=${infer Plain}` ? Plain : Name) | Placeholder<Rest>
  : never;

const fill = (text: string, parameters: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(=?)(\w+)\}/g, (_, plain: string, name: string) => {
    const value = parameters[name] ?? "";
    return plain === "" ? quote(value) : value;
  });

/** Rows whose message is a text: `{name}` stands for a parameter in quotes, `{=name}` for one as it is. */
const rows =
  (severity: Severity) =>
  <Text extends string>(code: string, summary: string, text: Text) =>
    define(code, severity, summary, (parameters: { readonly [Name in Placeholder<Text>]: string }) =>
      fill(text, parameters),
    );

export const error = rows("error");
export const warning = rows("warning");

/** A name from a schema file, safe to print whatever is in it. */
export const quote = (name: string): string => JSON.stringify(name);

/** Parameters of a message about one attribute. */
export interface Named {
  readonly attribute: string;
}
