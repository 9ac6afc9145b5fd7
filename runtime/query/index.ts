/** The read engine: reads complete rows, which REST, GraphQL and the document service then turn into answers. */
export { parseQuery } from "./parse.ts";
export { Totals } from "./totals.ts";
export { createQueries, type Queries } from "./engine.ts";
export { bareList, checkWindow, type PageLimits, unlimited } from "./check/pagination.ts";
export { oldQuery } from "./old/query.ts";
export { PlanSize } from "./check/plan-size.ts";
export { COHORTS } from "./check/versions.ts";
export { Budget } from "./check/budget.ts";
export { NEWEST, PREVIEW, Selected, type SelectedOptions, Trusted } from "./check/selected.ts";
export { AnswerSize, AnswerTooLargeError } from "./answer-size.ts";
export { bareFormat, type Format, jsonList, jsonOf } from "./json/index.ts";
export { type DocumentObject, objectOf, objectsOf } from "./objects/index.ts";
export { decodeEntry, decoderOf } from "./objects/decode.ts";
export { type Encode, encoderOf } from "./json/encode.ts";
export type { ColumnPlan, EntryLevel, MemberPlan, RowLevel } from "./plan/plan.ts";
export type { Prepared } from "./engine.ts";
export { componentEntries, type ComponentPlan, type Entry, zoneEntries, type ZonePlan } from "./rows/entries.ts";
export { type MorphPlan, morphRows, type Related, type RelationPlan, relatedRows, storedIn } from "./rows/follow.ts";
export { type Change, changeRows, type ShownValues } from "./rows/change.ts";
export { emptySet, type RowSet } from "./rows/row-set.ts";
export {
  checkOne,
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
} from "./read.ts";
