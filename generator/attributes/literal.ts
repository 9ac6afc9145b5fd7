/** Values as TypeScript source. All input from schema files enters generated code through here, as data. */

/** Line separators that JSON does not escape, and characters that would hide or reverse text in a review. */
const INVISIBLE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

export const stringLiteral = (text: string): string => JSON.stringify(text).replace(INVISIBLE, escape);

const IDENTIFIER = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;

/** A property name, quoted unless it is an identifier. */
export const propertyKey = (name: string): string => (IDENTIFIER.test(name) ? name : stringLiteral(name));

/** The access to a property: `.title`. */
export const memberAccess = (name: string): string => (IDENTIFIER.test(name) ? `.${name}` : `[${stringLiteral(name)}]`);

/** As a plain key, `__proto__` would set the prototype. */
const dataKey = (name: string): string => (name === "__proto__" ? `["__proto__"]` : propertyKey(name));

/** A JSON value. */
export const valueLiteral = (value: unknown): string => {
  if (typeof value === "string") return stringLiteral(value);
  if (Array.isArray(value)) return `[${value.map(valueLiteral).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${dataKey(name)}: ${valueLiteral(member)}`);
    return `{ ${members.join(", ")} }`;
  }
  return String(value);
};

/** The text, escaped for double quotes in a template. */
export const stringContent = (text: string): string => stringLiteral(text).slice(1, -1);
