import { isRecord } from "../../../runtime/base/is-record.ts";
import { refOf } from "../../archive/component-entries.ts";
import type { SchemaRecord } from "./records.ts";

type Schemas = ReadonlyMap<string, SchemaRecord>;

/** The entries in a value, with the component that each is of. */
const entriesIn = (attribute: Readonly<Record<string, unknown>>, value: unknown) =>
  (Array.isArray(value) ? value : [value]).filter(isRecord).map((entry) => ({
    entry,
    component: attribute["type"] === "component" ? attribute["component"] : entry["__component"],
  }));

/** The highest id of the component entries in a row of `uid`, at any depth; 0 if there are none. */
export const highestEntry = (schemas: Schemas, uid: string, data: Readonly<Record<string, unknown>>): number => {
  let highest = 0;
  for (const [name, attribute] of Object.entries(schemas.get(uid)?.attributes ?? {})) {
    if (!isRecord(attribute) || (attribute["type"] !== "component" && attribute["type"] !== "dynamiczone")) continue;
    for (const { entry, component } of entriesIn(attribute, data[name])) {
      const inner = typeof component === "string" ? highestEntry(schemas, component, entry) : 0;
      highest = Math.max(highest, refOf(entry) ?? 0, inner);
    }
  }
  return highest;
};
