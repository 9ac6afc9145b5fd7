/** Zod schemas that generated `validator.ts` files use where Zod itself has no word. Nothing of the server comes along. */
export { draftOf } from "./validation/derive.ts";
export { date, datetime, now, time } from "./validation/instants.ts";
export type { Condition } from "./validation/kinds.ts";
export type {
  Changes,
  FileOptions,
  Many,
  ManyOptions,
  MorphTarget,
  One,
  Placed,
  Position,
  Target,
} from "./validation/links.ts";
export { fileId, fileIds, toAny, toMany, toManyOfAny, toOne } from "./validation/links.ts";
export { type BigIntegerOptions, biginteger, decimal } from "./validation/numbers.ts";
export { blocks, conditional, entryFields, json, when } from "./validation/structures.ts";
export { email, password, slug } from "./validation/text.ts";
