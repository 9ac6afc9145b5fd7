/** A row as the read engine shapes it: one member per response key of the selection. */
export type Node = Readonly<Record<string, unknown>>;
