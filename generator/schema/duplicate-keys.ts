const countKeys = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, inner: unknown) => sum + countKeys(inner), own);
};

/** Strings that are followed by a colon; `text` is known to be JSON. */
const KEY = /"(?:[^"\\]|\\.)*"(?<colon>\s*:)?/g;

/** Tells, without a parser that keeps positions, whether an object in `text` names a key twice. `value` is what it parsed to. */
export const hasDuplicateKeys = (text: string, value: unknown): boolean => {
  let keys = 0;
  for (const match of text.matchAll(KEY)) if (match.groups?.["colon"]) keys += 1;
  return keys > countKeys(value);
};
