/** How bodies refer to files and documents. Types only: clients import them. */

/** A reference to a file or document: its documentId, the numeric id of a row, or an object with one of these. */
export type Target = string | number | { documentId: string } | { id: number };

/** A reference to a document of any type, which names the type. */
export type MorphTarget = { __type: string; documentId: string } | { __type: string; id: number };

/** The position of a target in a list. */
export type Position = { before: string | number } | { after: string | number } | { start: true } | { end: true };

/** A target with an optional position; by default it goes to the end. */
export type Placed<Item> = Item | (Extract<Item, object> & { position: Position });

/** Changes to the list of a relation; `set` replaces it. */
export interface Changes<Item> {
  set?: readonly Item[] | undefined;
  connect?: readonly Placed<Item>[] | undefined;
  disconnect?: readonly Item[] | undefined;
  /** `strict: false`: a neighbour that is not in the list is ignored. */
  options?: { strict?: boolean | undefined } | undefined;
}

/** The values for an attribute with one target. */
export type One<Item> = Item | Changes<Item>;
/** The values for an attribute with a list of targets. */
export type Many<Item> = readonly Item[] | Changes<Item>;
