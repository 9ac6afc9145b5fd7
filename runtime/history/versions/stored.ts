/** Fits kept contents to the current schema: what fits is read and restored, the rest is reported. */
import { isRecord } from "../../base/is-record.ts";
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import type { GonePart } from "../../client/answers.ts";
import {
  attributesOf,
  isComponent,
  isFileLink,
  isMany,
  isMorphToMany,
  isMorphToOne,
  isScalar,
  isToMany,
} from "../../documents/attributes.ts";
import type { Attribute, ContentType } from "../../schema/content-type.ts";
import { isKept, keyOf, type Linked, SYSTEM_NAMES } from "./content.ts";

/** The values of a version by {@link keyOf}. */
export type Content = Readonly<Record<string, unknown>>;

const matching = (pattern: RegExp) => (value: unknown) =>
  (typeof value === "string" || typeof value === "number") && pattern.test(String(value));

/** Whether a kept value can have the form; any value can be a text. */
const FITS: Readonly<Record<ScalarForm, (value: unknown) => boolean>> = {
  text: (value) => typeof value !== "object",
  integer: (value) => Number.isInteger(Number(value)) && Math.abs(Number(value)) < 2 ** 31 && matching(/./)(value),
  number: matching(/^-?\d+(\.\d+)?(e[-+]?\d+)?$/i),
  decimal: matching(/^-?\d{1,8}(\.\d+)?$/),
  digits: matching(/^-?\d{1,18}$/),
  boolean: (value) => typeof value === "boolean",
  date: matching(/^\d{4,6}-\d\d-\d\d$/),
  time: matching(/^\d\d:\d\d:\d\d(\.\d+)?$/),
  instant: matching(/^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/),
  epoch: matching(/^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/),
  json: () => true,
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const isTyped = (value: unknown): boolean =>
  isRecord(value) && typeof value["__type"] === "string" && typeof value["documentId"] === "string";

const fits = (attribute: Attribute, value: unknown): boolean => {
  if (isScalar(attribute)) return FITS[formOf(attribute.type)](value);
  const items = listOf(value);
  if (isComponent(attribute))
    return items.every(
      (item) => isRecord(item) && (attribute.type === "component") === (item["__component"] === undefined),
    );
  if (attribute.type === "media") return items.every(Number.isInteger);
  return items.every("target" in attribute && attribute.target ? (item) => typeof item === "string" : isTyped);
};

/** The value in the attribute's current shape: links may have changed between to-one and to-many. */
const shaped = (attribute: Attribute, value: unknown): unknown => {
  if (attribute.type !== "media" && attribute.type !== "relation") return value;
  return isMany(attribute) ? listOf(value) : (listOf(value)[0] ?? null);
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The values of declared attributes, without passwords and relations that other types store. */
export const presentValues = (type: ContentType, content: Content): ReadonlyMap<string, unknown> =>
  new Map(
    attributesOf(type).flatMap(([name, attribute]) => {
      const value = content[keyOf(name)];
      if (!isKept(attribute) || value === undefined) return [];
      if (value !== null && !fits(attribute, value)) return [];
      return [[name, value === null ? null : shaped(attribute, value)] as const];
    }),
  );

/** What the schema no longer has: attributes that are gone or changed their type. */
export const goneValues = (type: ContentType, content: Content): readonly GonePart[] => {
  const present = presentValues(type, content);
  const names = new Map(attributesOf(type).map(([name]) => [keyOf(name), name]));
  const system: ReadonlySet<string> = new Set(SYSTEM_NAMES);
  return Object.entries(content).flatMap(([key, value]): GonePart[] => {
    const name = names.get(key);
    if (!isGiven(value) || system.has(key) || (name !== undefined && present.has(name))) return [];
    return [{ path: name ?? key, reason: name === undefined ? "attribute" : "type", value }];
  });
};

/** A row, keyed by column name. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** What identifies the version. */
interface Identity {
  readonly documentId: string;
  readonly locale: string | null;
}

/** The row of a version in the type's table. */
export const rowOf = (type: ContentType, { documentId, locale }: Identity, content: Content): StoredRow => {
  const { table } = type;
  const row: Record<string, unknown> = { [table.documentId.name]: documentId };
  if (table.locale) row[table.locale.name] = locale;
  for (const name of SYSTEM_NAMES) row[table[name].name] = content[name] ?? null;
  const values = presentValues(type, content);
  for (const [name, attribute] of attributesOf(type)) {
    const value = values.get(name) ?? null;
    if (!("column" in attribute)) continue;
    if (!isMorphToOne(attribute)) row[attribute.column.name] = value;
    else if (isRecord(value)) {
      row[attribute.column.name] = value["documentId"];
      row[attribute.typeColumn.name] = value["__type"];
    }
  }
  return row;
};

/** The rows of a version in the link table of an attribute. */
export const linkRowsOf = (attribute: Linked, versionId: unknown, value: unknown): readonly StoredRow[] => {
  const { link } = attribute;
  const seen = new Map((Array.isArray(value) ? value : []).map((item: unknown) => [JSON.stringify(item), item]));
  return [...seen.values()].map((item, index) => ({
    [link.versionId.name]: versionId,
    [link.position.name]: index + 1,
    ...(isFileLink(attribute) ? { [attribute.link.fileId.name]: item } : {}),
    ...(isMorphToMany(attribute) && isRecord(item)
      ? {
          [attribute.link.documentId.name]: item["documentId"],
          [attribute.link.documentType.name]: item["__type"],
        }
      : {}),
    ...(isToMany(attribute) ? { [attribute.link.documentId.name]: item } : {}),
  }));
};
