import type { Problem, Severity } from "./diagnostic.ts";

/** One row of the table of codes; `message` is one sentence in the user's terms. */
export const define = <Parameters>(
  code: string,
  severity: Severity,
  message: (parameters: Parameters) => string,
): Problem<Parameters> => ({ code, severity, message });

/** The parameter names, in braces. */
type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `=${infer Plain}` ? Plain : Name) | Placeholder<Rest>
  : never;

const fill = (text: string, parameters: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(=?)(\w+)\}/g, (_, plain: string, name: string) => {
    const value = parameters[name] ?? "";
    return plain === "" ? quote(value) : value;
  });

/** Rows with a message template: `{name}` inserts a parameter in quotes, `{=name}` inserts it as is. */
const rows =
  (severity: Severity) =>
  <Text extends string>(code: string, text: Text) =>
    define(code, severity, (parameters: { readonly [Name in Placeholder<Text>]: string }) => fill(text, parameters));

export const error = rows("error");
export const warning = rows("warning");

/** A name from a schema file, made safe to print. */
export const quote = (name: string): string => JSON.stringify(name);

/** Parameters of messages about one attribute. */
export interface Named {
  readonly attribute: string;
}
