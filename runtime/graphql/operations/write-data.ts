/** From the input of a mutation to the data of the document service. */
import type { Caller } from "../../access/caller.ts";
import { type Attributes, targetOf } from "../../schema/attributes.ts";
import type { Attribute, Field } from "../../schema/content-type.ts";
import type { Catalog } from "../catalog.ts";

export type Data = Readonly<Record<string, unknown>>;

/** Members that the server sets itself; clients may send them. */
const SYSTEM = new Set(["createdAt", "updatedAt"]);

const isData = (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value);

/** Without what the server sets, and without relations to what the caller may not find: those are left as they are. */
export const writableData = (catalog: Catalog, attributes: Attributes, input: unknown, caller: Caller): Data => {
  const writableValue = (attribute: Attribute | Field, value: unknown): unknown => {
    const entryAttributes = attributesOfEntries(catalog, attribute);
    if (!entryAttributes) return value;
    const entry = (each: unknown): unknown =>
      isData(each) ? writableData(catalog, entryAttributes(each), each, caller) : each;
    return Array.isArray(value) ? value.map(entry) : entry(value);
  };
  return Object.fromEntries(
    Object.entries(isData(input) ? input : {}).flatMap(([name, value]) => {
      const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      if (!attribute) return SYSTEM.has(name) ? [] : [[name, value]];
      const target = targetOf(attribute);
      if (target !== undefined && !caller.can(`${target}.find`)) return [];
      return [[name, writableValue(attribute, value)]];
    }),
  );
};

/** The attributes of an entry of a component or zone; undefined for other attributes. */
const attributesOfEntries = (
  catalog: Catalog,
  attribute: Attribute | Field,
): ((entry: Data) => Attributes) | undefined => {
  if (attribute.type === "component") return () => catalog.component(attribute.component).attributes();
  if (attribute.type !== "dynamiczone") return undefined;
  return ({ __component: given }) => {
    const uid = attribute.components.find((each) => each === given);
    return uid === undefined ? {} : catalog.component(uid).attributes();
  };
};
