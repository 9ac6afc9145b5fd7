/** How the wire contract's messages show paths and values. */

/** `links[0].label`; the body itself is `this`. */
export const pathText = (path: readonly PropertyKey[] | undefined): string => {
  const text = (path ?? [])
    .map((segment) => (typeof segment === "number" ? `[${segment}]` : `.${String(segment)}`))
    .join("");
  return text === "" ? "this" : text.replace(/^\./, "");
};

/** A value that has no parts, as text; undefined for one that has. */
const simple = (value: unknown): string | undefined => {
  if (typeof value === "string") return `"${value}"`;
  return value === null || typeof value !== "object" ? String(value) : undefined;
};

/** A value as messages quote it: the leaves of lists and objects are shown as text. */
export const valueText = (value: unknown): string =>
  simple(value) ?? JSON.stringify(value, (_key, part: unknown) => simple(part) ?? part, 2);
