/**
 * How much is tried of what has no end, or is the same on both databases. `THOROUGH=1 npm test` tries twenty times as much, on
 * both, and other random cases each time: once in a while, and before a change of the code that a property is about.
 */
export const isThorough = process.env["THOROUGH"] === "1";

const factor = isThorough ? 20 : 1;

/** Cases of each property. */
export const RUNS = {
  agreement: 50 * factor,
  anyText: 500 * factor,
  anySchemaFiles: 40 * factor,
  determinism: 3 * factor,
  /** `DOCUMENTS` says how many. */
  documents: Number(process.env["DOCUMENTS"] ?? (isThorough ? 100_000 : 150)),
  /** Of the first document: `DOCUMENTS_SEED` begins with one that a failure has named. */
  documentsSeed: Number(process.env["DOCUMENTS_SEED"] ?? (isThorough ? Date.now() : 1)),
  links: { postgres: 5 * factor, pglite: 2 * factor },
  locales: 25 * factor,
  queries: 150 * factor,
  queryStrings: 500 * factor,
  secrets: 600 * factor,
  sequences: 20 * factor,
  windows: 100 * factor,
};
