/** How messages of the wire contract show paths and values. */

/** A path, such as `links[0].label`; the body itself is `this`. */
export const pathText = (path: readonly PropertyKey[] | undefined): string => {
  const text = (path ?? [])
    .map((segment) => (typeof segment === "number" ? `[${segment}]` : `.${String(segment)}`))
    .join("");
  return text === "" ? "this" : text.replace(/^\./, "");
};

/** A scalar as text; undefined for lists and objects. */
const simple = (value: unknown): string | undefined => {
  if (typeof value === "string") return `"${value}"`;
  return value === null || typeof value !== "object" ? String(value) : undefined;
};

/** A value as messages show it: scalars within lists and objects are shown as text. */
export const valueText = (value: unknown): string =>
  simple(value) ?? JSON.stringify(value, (_key, part: unknown) => simple(part) ?? part, 2);
