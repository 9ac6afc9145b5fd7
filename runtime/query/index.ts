/** The read engine. */
export { parseQuery } from "./parse.ts";
export { NEWEST, Selected } from "./check/selected.ts";
export {
  type ManyRead,
  type Pagination,
  type Query,
  type RawQuery,
  type ReadContext,
  readMany,
  readOne,
  readSingle,
} from "./read.ts";
