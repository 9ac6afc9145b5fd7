/** What a kept version refers to, and which of it no longer exists. */
import { isRecord } from "../../base/is-record.ts";
import type { GonePart } from "../../client/answers.ts";
import { type Reader, requiredText } from "../../database/database.ts";
import type { Attributed } from "../../documents/attributes.ts";
import { componentUid } from "../../documents/body/parse.ts";
import type { Attribute, ContentType, Field } from "../../schema/content-type.ts";
import type { Registry } from "../../schema/registry.ts";
import { isInt4 } from "../../schema/validation/numbers.ts";

/** A document or a file, by the id that the version holds. */
interface Reference {
  readonly path: string;
  readonly reason: "document" | "file";
  readonly value: string | number;
}

type Found = Reference | { readonly path: string; readonly reason: "component"; readonly value: unknown };

const listOf = (value: unknown): readonly unknown[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];

const placeOf = (path: string, value: unknown, index: number): string =>
  Array.isArray(value) ? `${path}.${index}` : path;

const referenceOf = (path: string, isFile: boolean, item: unknown): Found[] => {
  const value = isRecord(item) ? item["documentId"] : item;
  if (isFile) return typeof value === "number" ? [{ path, reason: "file", value }] : [];
  return typeof value === "string" ? [{ path, reason: "document", value }] : [];
};

/** What is looked for: `isShown` says which attributes and fields may be named. */
interface Told {
  readonly registry: Registry;
  readonly isShown: (name: string, attribute: Attribute | Field) => boolean;
}

const inAttribute = (told: Told, attribute: Attribute | Field, path: string, value: unknown): Found[] =>
  listOf(value).flatMap((item, index): Found[] => {
    const place = placeOf(path, value, index);
    switch (attribute.type) {
      case "relation":
      case "media":
        return referenceOf(place, attribute.type === "media", item);
      case "component":
      case "dynamiczone": {
        if (!isRecord(item)) return [];
        const { registry } = told;
        const uid = attribute.type === "component" ? attribute.component : componentUid({ registry }, item);
        const isKnown = uid !== undefined && registry.components[uid] !== undefined;
        if (!isKnown) return [{ path: place, reason: "component", value: item["__component"] }];
        return foundIn(told, registry.component(uid), new Map(Object.entries(item)), `${place}.`);
      }
      default:
        return [];
    }
  });

const foundIn = (
  told: Told,
  { attributes }: Attributed,
  values: ReadonlyMap<string, unknown>,
  parent: string,
): Found[] =>
  Object.entries(attributes).flatMap(([name, attribute]) =>
    told.isShown(name, attribute) ? inAttribute(told, attribute, `${parent}${name}`, values.get(name)) : [],
  );

/** What is gone from the values of a version. */
export const goneReferences = async (
  session: Reader,
  told: Told,
  type: ContentType,
  values: ReadonlyMap<string, unknown>,
): Promise<readonly GonePart[]> => {
  const found = foundIn(told, type, values, "");
  const documentIds = found.flatMap(({ reason, value }) => (reason === "document" ? [String(value)] : []));
  const ids = found.flatMap(({ reason, value }) => (reason === "file" && isInt4(Number(value)) ? [Number(value)] : []));
  if (found.length === 0) return [];
  const rows = await session.rows(
    "select document_id from documents where document_id = any($1::text[]) union all select id::text from files where id = any($2::int[])",
    [documentIds, ids],
  );
  const there = new Set(rows.map(([id]) => requiredText(id)));
  return found.filter(({ reason, value }) => reason === "component" || !there.has(String(value)));
};
