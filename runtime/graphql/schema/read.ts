/**
 * Resolvers below a root field. All values were read with the root, so they only look into the row:
 * attributes stand under their name, and what a selection populates stands under `@` and its response key,
 * because two aliases of one relation may have different arguments.
 */
import { fromRow, type Reader, type RowInfo } from "./ready.ts";

/** The member of a row that a populated field of this response key is read from. */
export const populatedKey = (prefix: string, responseKey: string | number): string => `@${prefix}${responseKey}`;

/**
 * What a wrapper (`data`, `nodes`, `attributes`) adds to the keys of what is populated inside it: nothing, unless it has an
 * alias. Below two aliases the same key may stand for different things of one row; the name tells an alias of `data` from the
 * same of `attributes`.
 */
export const aliasPrefix = (key: string | number, name: string): string => (key === name ? "" : `${name}=${key}/`);

const WRAPPED = "galleyWrapped";

/** The options of a type that wraps rows in one of its members. */
export const wraps = (member: "data" | "nodes" | "attributes") => ({ extensions: { [WRAPPED]: member } });

/** The aliases of the wrappers between a field and the row that it is read from. */
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

/** The value of an attribute; the schema's types were made from the same descriptors as the row. */
export const read = fromRow((row, { fieldName }) => row[fieldName], { kind: "attribute" });

/** The value of a relation, media, component or zone. */
export const readPopulated = fromRow(populated, { kind: "populated" });

/** The same inside a wrapper: of the entity format, and of the flat one. */
export const readInData = fromRow((...place) => ({ data: populated(...place) }), {
  kind: "populated",
  wrapper: "data",
});
export const readInNodes = fromRow((...place) => ({ nodes: populated(...place) }), {
  kind: "populated",
  wrapper: "nodes",
});

/** An entity's parts are both read from the same row. */
export const readId = fromRow((row) => row["documentId"], { kind: "documentId" });
export const readRow = fromRow((row) => row, { kind: "row" });
