/** Builders that generated `validator.ts` files declare attributes with. */
export type { AttributeOptions, AttributeValidator, Condition, Mode, Validator } from "./validation/attribute.ts";
export { biginteger, decimal, float, integer } from "./validation/numbers.ts";
export { boolean, date, datetime, enumeration, time, timestamp } from "./validation/scalars.ts";
export {
  blocks,
  component,
  components,
  dynamicZone,
  json,
  media,
  relation,
  relations,
} from "./validation/structures.ts";
export { email, password, richtext, string, text, uid } from "./validation/text.ts";
export { validator } from "./validation/validator.ts";
