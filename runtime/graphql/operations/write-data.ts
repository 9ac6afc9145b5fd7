/** From the input of a mutation to the data of the document service. */
import type { Caller } from "../../access/caller.ts";
import type { FieldDeclaration, FieldDeclarations } from "../declaration.ts";

export type Data = Readonly<Record<string, unknown>>;

/** Members that the server sets itself; clients may send them. */
const SYSTEM = new Set(["createdAt", "updatedAt"]);

const isData = (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value);

/** Without what the server sets, and without relations to what the caller may not find: those are left as they are. */
export const writableData = (fields: FieldDeclarations, input: unknown, caller: Caller): Data =>
  Object.fromEntries(
    Object.entries(isData(input) ? input : {}).flatMap(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (!field) return SYSTEM.has(name) ? [] : [[name, value]];
      if (field.kind === "relation" && !caller.can(`${field.target.type.uid}.find`)) return [];
      return [[name, writableValue(field, value, caller)]];
    }),
  );

const writableValue = (field: FieldDeclaration, value: unknown, caller: Caller): unknown => {
  const fieldsOf = entryFields(field);
  if (!fieldsOf) return value;
  const entry = (each: unknown): unknown => (isData(each) ? writableData(fieldsOf(each), each, caller) : each);
  return Array.isArray(value) ? value.map(entry) : entry(value);
};

/** The fields of an entry of a component or zone; undefined for other attributes. */
const entryFields = (field: FieldDeclaration): ((entry: Data) => FieldDeclarations) | undefined => {
  if (field.kind === "component") return () => field.target.fields();
  if (field.kind !== "zone") return undefined;
  return (entry) =>
    field.zone.components.find(({ component }) => component.uid === entry["__component"])?.fields() ?? {};
};
