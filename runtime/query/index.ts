/** The read engine: reads complete rows, which REST, GraphQL and the document service then turn into responses. */
export { parseQuery } from "./parse.ts";
export { createQueries, type Prepared, type Queries } from "./engine.ts";
export { bareList, checkWindow, unlimited } from "./check/pagination.ts";
export { booleanWord, type PageLimits } from "./check/context.ts";
export { localesOf } from "./localization.ts";
export { oldQuery } from "./version-four.ts";
export { Budget, PlanSize, UNLIMITED } from "./check/budget.ts";
export { LIVE, NEWEST, PREVIEW, Selected, type SelectedOptions, Trusted } from "./check/selected.ts";
export { AnswerSize, AnswerTooLargeError } from "./output/answer-size.ts";
export { bareFormat, type DocumentObject, jsonList, jsonOf, objectOf, objectsOf } from "./output/document.ts";
export type { Format } from "./output/document.ts";
export { decodeEntry, decoderOf } from "./output/decode.ts";
export { type Encode, encoderOf, listText, objectText, Writing } from "./output/json-text.ts";
export { memberWriter } from "./output/members.ts";
export type { Field, Write, WriteRow } from "./output/output.ts";
export type { ColumnPlan, EntryLevel, MemberPlan, RowLevel } from "./plan/plan.ts";
export type { RowLimit } from "./row-conditions.ts";
export { type Entry, storedIn } from "./rows/follow.ts";
export type { Member, Schema } from "./schema.ts";
export { type Change, changeRows, type ShownValues } from "./rows/change.ts";
export { emptySet, localeOf, type RowSet } from "./rows/row-set.ts";
export {
  countMany,
  type ManyRead,
  type Pagination,
  planOne,
  prepare,
  type PlannedRead,
  type Query,
  type RawQuery,
  type ReadContext,
  type ReadServices,
  readMany,
  readOne,
  readSingle,
  runMany,
  runOne,
  runSingle,
  searchMetaOf,
} from "./read.ts";
