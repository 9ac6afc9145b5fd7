import type { TypeLayout } from "../../runtime/schema/layout.ts";
import { propertyKey, valueLiteral } from "../attributes/literal.ts";

const properties = (record: object) =>
  Object.entries(record).map(([name, value]) => ({ name: propertyKey(name), value: valueLiteral(value) }));

/** The `panel` property of a descriptor; false for none. */
export const layoutView = (layout: TypeLayout | undefined) => {
  if (!layout) return false;
  const { attributes = {}, ...options } = layout;
  return { options: properties(options), attributes: properties(attributes) };
};
