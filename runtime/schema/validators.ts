/**
 * Zod schemas for generated `validator.ts` files, where Zod has none itself. Importing this module loads no server
 * code.
 */
export type * from "./reference.ts";
export { type Condition, conditional, when } from "./validation/conditional.ts";
export { date, datetime, now, time } from "./validation/instants.ts";
export { fileId, fileIds, type ManyOptions, toAny, toMany, toManyOfAny, toOne } from "./validation/links.ts";
export { type BigIntegerOptions, biginteger, decimal } from "./validation/numbers.ts";
export { blocks, entryFields, json } from "./validation/structures.ts";
export { email, password, pattern, slowPattern, slug } from "./validation/text.ts";
