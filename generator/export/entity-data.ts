/** An archive's record of a row: its values, and the entries of its components. */
import { isRecord } from "../../runtime/base/is-record.ts";
import type { Value } from "../../runtime/database/database.ts";
import { attributesOf, isComponent, isScalar } from "../../runtime/documents/attributes.ts";
import { encodeEntry, encoderOf, isoInstant } from "../../runtime/query/output/json-text.ts";
import type { ContentType, Field } from "../../runtime/schema/content-type.ts";
import type { Registry } from "../../runtime/schema/registry.ts";
import { entriesIn } from "../archive/component-entries.ts";

export type Data = Record<string, unknown>;

/** A row by column name. */
export type StoredVersion = ReadonlyMap<string, Value>;

const parsed = (text: string): unknown => JSON.parse(text);

export const instantOf = (value: Value | undefined): string | null =>
  value === null || value === undefined ? null : isoInstant(String(value));

const jsonIn = (value: Value | undefined): unknown => (typeof value === "string" ? parsed(value) : null);

type Components = Extract<Field, { readonly type: "component" | "dynamiczone" }>;

const isList = (field: Components): boolean => field.type === "dynamiczone" || field.repeatable === true;

/** The entries of a component or zone, without their links, which are exported separately. */
const entriesOf = (registry: Registry, field: Components, value: unknown): unknown => {
  const entries = entriesIn(field, value).map(({ component, entry }) => {
    const data: Data = { id: entry["id"] };
    const fields: Readonly<Record<string, Field>> = registry.component(component).attributes;
    for (const [name, inner] of Object.entries(fields)) {
      if (inner.type === "component" || inner.type === "dynamiczone") {
        data[name] = entriesOf(registry, inner, entry[name]);
      } else if (inner.type !== "relation" && inner.type !== "media") {
        data[name] = parsed(encodeEntry(inner.type, entry[name]));
      }
    }
    if (field.type === "dynamiczone") data["__component"] = component;
    return data;
  });
  return isList(field) ? entries : (entries[0] ?? null);
};

/** The data of a row in archive form: values, system fields, components. */
export const entityData = (registry: Registry, type: ContentType, row: StoredVersion): Data => {
  const { table } = type;
  const data: Data = { documentId: row.get(table.documentId.name) };
  const attributes = attributesOf(type);
  for (const [name, attribute] of attributes) {
    if (isScalar(attribute)) data[name] = parsed(encoderOf(attribute.type)(row.get(attribute.column.name) ?? null));
  }
  data["createdAt"] = instantOf(row.get(table.createdAt.name));
  data["updatedAt"] = instantOf(row.get(table.updatedAt.name));
  data["publishedAt"] = instantOf(row.get(table.publishedAt.name));
  data["locale"] = table.locale ? (row.get(table.locale.name) ?? null) : null;
  for (const [name, attribute] of attributes) {
    if (isComponent(attribute)) {
      data[name] = entriesOf(registry, attribute, jsonIn(row.get(attribute.column.name)));
    }
  }
  return data;
};

/** The stored value of a component attribute, as objects. */
export const componentsIn = (row: StoredVersion, column: string): unknown => {
  const value = jsonIn(row.get(column));
  return Array.isArray(value) || isRecord(value) ? value : null;
};
