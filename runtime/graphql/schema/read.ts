/**
 * Resolvers below a root field. All values were read with the root, so they only look into the row:
 * attributes stand under their name, and what a selection populates stands under `@` and its response key,
 * because two aliases of one relation may have different arguments.
 */
import { fromRow, type Reader } from "./ready.ts";

/** The member of a row that a populated field of this response key is read from. */
export const populatedKey = (responseKey: string | number): string => `@${responseKey}`;

const populated: Reader = (row, _name, key) => row[populatedKey(key)];

/** The value of an attribute; the schema's types were made from the same descriptors as the row. */
export const read = fromRow((row, name) => row[name], { kind: "attribute" });

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
