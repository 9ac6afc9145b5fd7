/** Reads answers, which may be anything. */

/** The value at `path`; undefined if there is none. */
export const dig = (value: unknown, ...path: readonly (string | number)[]): unknown => {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = new Map<string, unknown>(Object.entries(current)).get(String(key));
  }
  return current;
};

/** A list; an empty one in place of anything else. */
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The documentIds of a populated relation, in its order. */
export const documentIds = (value: unknown): string[] => list(value).map((each) => String(dig(each, "documentId")));

/** Text for a report. */
export const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
