import type { TypeLayout } from "../../runtime/schema/layout.ts";
import { propertyKey, valueLiteral } from "../attributes/literal.ts";

interface Property {
  readonly name: string;
  readonly value: string;
}

/** The `panel` property of a descriptor; false for none. */
export type LayoutView = { readonly options: readonly Property[]; readonly attributes: readonly Property[] } | false;

const properties = (record: object): readonly Property[] =>
  Object.entries(record).map(([name, value]) => ({ name: propertyKey(name), value: valueLiteral(value) }));

export const layoutView = (layout: TypeLayout | undefined): LayoutView => {
  if (!layout) return false;
  const { attributes = {}, ...options } = layout;
  return { options: properties(options), attributes: properties(attributes) };
};
