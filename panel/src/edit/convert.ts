/** Converts documents to form values, and form values to request bodies. */
import { type Attribute, type Attributes, isToMany, isWritten, type Model } from "../api/description.ts";
import { isFile } from "../media/thumbnail.tsx";
import type { Values } from "./form.ts";

/** The key that identifies list entries during editing; it is not stored. */
export const KEY = "__key";

let keys = 0;

/** Stored input of an earlier visit has its own keys. */
const VISIT = Math.random().toString(36).slice(2);

export const newKey = (): string => `entry-${VISIT}-${(keys += 1)}`;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The target of a relation. */
export interface Linked {
  readonly documentId: string;
  readonly [name: string]: unknown;
}

export const isLinked = (value: unknown): value is Linked => isRecord(value) && typeof value["documentId"] === "string";

const attributesOf = (model: Model, attribute: Attribute, entry: Values): Attributes => {
  const uid = attribute.type === "dynamiczone" ? entry["__component"] : attribute.component;
  return model.component(typeof uid === "string" ? uid : undefined)?.attributes ?? {};
};

/** The entry that was in the same place has the same key, so that the form does not begin anew with each save. */
const entryIn = (model: Model, attribute: Attribute, entry: unknown, before: unknown): unknown => {
  if (!isRecord(entry)) return null;
  const same: Values = isRecord(before) && before["__component"] === entry["__component"] ? before : {};
  const values = valuesIn(model, attributesOf(model, attribute, entry), entry, same);
  return { ...entry, ...values, [KEY]: same[KEY] ?? newKey() };
};

const valueIn = (model: Model, attribute: Attribute, value: unknown, before?: unknown): unknown => {
  switch (attribute.type) {
    case "component":
    case "dynamiczone":
      return Array.isArray(value)
        ? value.map((entry, index) =>
            entryIn(model, attribute, entry, Array.isArray(before) ? before[index] : undefined),
          )
        : entryIn(model, attribute, value, before);
    case "relation":
      return isToMany(attribute) ? (Array.isArray(value) ? value : []) : (value ?? null);
    default:
      return value ?? null;
  }
};

/** The form values of a document or entry, where the form has others before. */
export const valuesIn = (model: Model, attributes: Attributes, source: Values, before: Values = {}): Values =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([, { type }]) => type !== "password")
      .map(([name, attribute]) => [name, valueIn(model, attribute, source[name], before[name])]),
  );

/** The initial form values of a new document or entry. */
export const emptyValues = (model: Model, attributes: Attributes): Values =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, valueIn(model, attribute, attribute.default)]),
  );

export const newEntry = (model: Model, uid: string, inZone: boolean): Values => ({
  ...(inZone ? { __component: uid } : {}),
  ...emptyValues(model, model.component(uid)?.attributes ?? {}),
  [KEY]: newKey(),
});

const entryBody = (model: Model, attribute: Attribute, entry: Values): Values => {
  const { id, __component: component } = entry;
  const body = bodyOf(model, attributesOf(model, attribute, entry), entry);
  return {
    ...(id === undefined ? {} : { id }),
    ...(component === undefined ? {} : { __component: component }),
    ...body,
  };
};

const valueBody = (model: Model, attribute: Attribute, value: unknown): unknown => {
  switch (attribute.type) {
    case "component":
    case "dynamiczone":
      if (Array.isArray(value)) return value.filter(isRecord).map((entry) => entryBody(model, attribute, entry));
      return isRecord(value)
        ? entryBody(model, attribute, value)
        : attribute.repeatable || attribute.type === "dynamiczone"
          ? []
          : null;
    case "relation":
      if (isToMany(attribute))
        return { set: Array.isArray(value) ? value.filter(isLinked).map(({ documentId }) => documentId) : [] };
      return isLinked(value) ? value.documentId : null;
    case "media":
      if (attribute.multiple) return Array.isArray(value) ? value.filter(isFile).map(({ id }) => id) : [];
      return isFile(value) ? value.id : null;
    default:
      return value;
  }
};

/** The body with the named attributes; by default with all writable ones. */
export const bodyOf = (
  model: Model,
  attributes: Attributes,
  values: Values,
  names: readonly string[] = Object.keys(attributes),
): Values =>
  Object.fromEntries(
    names.flatMap((name) => {
      const attribute = attributes[name];
      if (!attribute || !isWritten(attribute) || !(name in values)) return [];
      const value = values[name];
      // Without input, a password stays unchanged.
      if (attribute.type === "password" && (value === null || value === "")) return [];
      return [[name, valueBody(model, attribute, value)]];
    }),
  );

/** Values without the ids of one version, for use in another language or document. */
export const copied = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copied);
  if (!isRecord(value)) return value;
  if (isFile(value) || isLinked(value)) return value;
  const { id: _id, ...rest } = value;
  return Object.fromEntries(
    Object.entries(KEY in value ? { ...rest, [KEY]: newKey() } : value).map(([name, inner]) => [name, copied(inner)]),
  );
};

/** The values without passwords, at any depth: what may be kept in the browser. */
export const withoutPasswords = (model: Model, attributes: Attributes, values: Values): Values => {
  const keepable = (attribute: Attribute | undefined, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => keepable(attribute, each));
    const isEntry = attribute?.type === "component" || attribute?.type === "dynamiczone";
    return isEntry && isRecord(value) ? withoutPasswords(model, attributesOf(model, attribute, value), value) : value;
  };
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => attributes[name]?.type !== "password")
      .map(([name, value]) => [name, keepable(attributes[name], value)]),
  );
};
