/** Makes the driver read and write values as PostgreSQL's text, except numbers (`int2`, `int4`, `oid`, `float4`, `float8`) and booleans. */

/** OIDs of the JSON types, which the driver would otherwise parse. */
const JSON_TYPES = [114, 3802];
const TIME_TYPES = [1082, 1114, 1184];
const BYTEA = 17;
const TEXT = 25;
const BOOLEAN = 16;

const asText = { serialize: String, parse: (text: string) => text };

export const driverTypes = {
  json: { ...asText, to: 114, from: JSON_TYPES },
  date: { ...asText, to: 1184, from: TIME_TYPES },
  bytea: { ...asText, to: BYTEA, from: [BYTEA] },
  string: { ...asText, to: TEXT, from: [TEXT] },
  boolean: { to: BOOLEAN, from: [BOOLEAN], serialize: String, parse: (text: string) => text === "t" },
};
