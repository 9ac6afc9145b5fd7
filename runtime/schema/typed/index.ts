/**
 * Types of queries, responses and bodies, all derived from the interface that a generated `document.ts` declares. Types
 * only: a client that imports them gets no server code.
 */
export type { Status } from "../document.ts";
export type { PublicationFilter } from "../publication-filter.ts";
export type { AnyData, CreateData, UpdateData } from "./bodies.ts";
export type { Exact } from "./exact.ts";
export type * from "./filters.ts";
export type { Asker, NumberName, ValueName } from "./names.ts";
export type * from "./populate.ts";
export type * from "./query.ts";
export type * from "./read.ts";
