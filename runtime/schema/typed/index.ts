/**
 * Types of queries, answers and bodies, all derived from the interface that a generated `document.ts` declares. Types
 * only: a client that imports them gets nothing of the server.
 */
export type { AnyData, CreateData, UpdateData } from "./bodies.ts";
export type { Exact } from "./exact.ts";
export type { Asker, NumberName } from "./names.ts";
export type {
  Comparisons,
  Direction,
  FilterGroups,
  Filters,
  JsonComparisons,
  Sort,
  SortObject,
  SortText,
  TextComparisons,
  ValueFilter,
} from "./filters.ts";
export type {
  DocumentOptions,
  EntryOptions,
  KnownPopulate,
  Fields,
  LinkOptions,
  MorphOptions,
  Populate,
  PopulateObject,
  RelationOptions,
  Unpopulated,
  ZoneOptions,
} from "./populate.ts";
export type {
  AnswerQuery,
  FilteredQuery,
  FindOneQuery,
  FindQuery,
  ManyQuery,
  MatchQuery,
  Pagination,
  PublicationFilter,
  WriteQuery,
} from "./query.ts";
export type { Status } from "../document.ts";
export type { Read, ReadDocument, Shown } from "./read.ts";
