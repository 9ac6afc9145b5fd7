const STORAGE = new Set(["column", "typeColumn", "positionColumn", "link"]);

/** What an attribute's outline says about the attribute, as text: the same wherever it is stored. */
export const meaning = (attribute: unknown): string =>
  JSON.stringify(attribute, (key, value: unknown) => (STORAGE.has(key) ? undefined : value));
