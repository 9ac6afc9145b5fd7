/** Values as TypeScript source. Whatever a schema file says reaches generated code through here, as data. */

/** Line separators that JSON leaves alone; and characters that would hide or reverse what a reviewer sees. */
const INVISIBLE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const occurrences = (text: string, character: string): number => text.split(character).length - 1;

/** A string literal in the quotes that need fewer escapes, double ones where it makes no difference. */
export const stringLiteral = (text: string): string => {
  const quoted = JSON.stringify(text).replace(INVISIBLE, escape);
  if (occurrences(text, '"') <= occurrences(text, "'")) return quoted;
  const inner = quoted.slice(1, -1).replace(/\\.|'/g, (part) => (part === '\\"' ? '"' : part === "'" ? "\\'" : part));
  return `'${inner}'`;
};

/** A number literal as formatters write it: `1e21`, not `1e+21`. */
export const numberLiteral = (value: number): string => String(value).replace("e+", "e");

const IDENTIFIER = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;

/** A property name, quoted where it is no identifier. */
export const propertyKey = (name: string): string => (IDENTIFIER.test(name) ? name : stringLiteral(name));

/** The property `name` of the value called `owner`. */
export const property = (owner: string, name: string): string =>
  IDENTIFIER.test(name) ? `${owner}.${name}` : `${owner}[${stringLiteral(name)}]`;
