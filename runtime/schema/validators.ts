/**
 * Zod schemas for generated `validator.ts` files, where Zod has none itself. Importing this module loads no server
 * code.
 */
export type { Changes, Many, MorphTarget, One, Placed, Position, Target } from "./reference.ts";
export { type Condition, conditional, when } from "./validation/conditional.ts";
export { date, datetime, now, time } from "./validation/instants.ts";
export type { ManyOptions } from "./validation/links.ts";
export { fileId, fileIds, toAny, toMany, toManyOfAny, toOne } from "./validation/links.ts";
export { type BigIntegerOptions, biginteger, decimal } from "./validation/numbers.ts";
export { blocks, entryFields, json } from "./validation/structures.ts";
export { email, password, slowPattern, slug } from "./validation/text.ts";
