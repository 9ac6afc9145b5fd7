/**
 * Resolvers below a root field. The root has read all values, so they only look into the row: attributes are under
 * their name, and what a selection populates is under `@` and its response key, because two aliases of one relation may
 * have different arguments.
 */
import { fromRow, type Reader, type RowInfo } from "./ready.ts";

/** The member of a row that holds the populated field with this response key. */
export const populatedKey = (prefix: string, responseKey: string | number): string => `@${prefix}${responseKey}`;

/**
 * What a wrapper (`data`, `nodes`, `attributes`) adds to the keys of what is populated inside it: nothing, unless it
 * has an alias. Below two aliases, the same key may mean different things in one row. The name is part of the prefix,
 * so that equal aliases of `data` and `attributes` differ.
 */
export const aliasPrefix = (key: string | number, name: string): string => (key === name ? "" : `${name}=${key}/`);

const WRAPPED = "galleyWrapped";

/** The options of a type that wraps rows in one of its members. */
export const wraps = (member: "data" | "nodes" | "attributes") => ({ extensions: { [WRAPPED]: member } });

/** The prefix of a field: the aliases of the wrappers between it and its row. */
const prefixOf = ({ path, schema }: RowInfo): string => {
  let prefix = "";
  for (let step = path.prev; step; step = step.prev) {
    if (typeof step.key === "number") continue;
    const member = schema.getType(step.typename ?? "")?.extensions[WRAPPED];
    if (typeof member !== "string") break;
    prefix = aliasPrefix(step.key, member) + prefix;
  }
  return prefix;
};

const populated: Reader = (row, info) => row[populatedKey(prefixOf(info), info.path.key)];

/** The value of an attribute. Schema and row are made from the same descriptors, so their names agree. */
export const read = fromRow((row, { fieldName }) => row[fieldName], { kind: "attribute" });

/** The value of a relation, media, component or zone. */
export const readPopulated = fromRow(populated, { kind: "populated" });

/** The same inside the wrapper of the entity format, and of the flat format. */
export const readInData = fromRow((...place) => ({ data: populated(...place) }), {
  kind: "populated",
  wrapper: "data",
});
export const readInNodes = fromRow((...place) => ({ nodes: populated(...place) }), {
  kind: "populated",
  wrapper: "nodes",
});

/** Both parts of an entity are read from the same row. */
export const readId = fromRow((row) => row["documentId"], { kind: "documentId" });
export const readRow = fromRow((row) => row, { kind: "row" });
