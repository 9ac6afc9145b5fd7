/**
 * Query strings as `qs.stringify(query, { strictNullHandling: true })` writes them: nested names in brackets, lists by
 * position, a name without a value for null, and nothing for undefined or empty values.
 */

/** Encodes as `qs` does: all but letters, digits and `-._~`. Lone surrogates become U+FFFD, as in any URL. */
export const encode = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\uFFFD")).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const parts = (name: string, value: unknown): readonly string[] => {
  if (value === null) return [encode(name)];
  if (value instanceof Date) return [`${encode(name)}=${encode(value.toISOString())}`];
  if (typeof value === "object") {
    return Object.entries(value).flatMap(([key, inner]) => parts(`${name}[${key}]`, inner));
  }
  const isWritten = /^(?:string|number|boolean|bigint)$/.test(typeof value);
  return isWritten ? [`${encode(name)}=${encode(String(value))}`] : [];
};

/** The query string of an object, without a question mark. */
export const queryString = (query: object): string =>
  Object.entries(query)
    .flatMap(([name, value]) => parts(name, value))
    .join("&");
