/** The links of rows: relations, by their target documents, and files. */
import { isRecord } from "../../runtime/base/is-record.ts";
import {
  attributeOf,
  attributesOf,
  isComponent,
  isFileLink,
  isInverse,
  isMorphInverse,
  isMorphToMany,
  isMorphToOne,
  isToMany,
  isToOne,
} from "../../runtime/documents/attributes.ts";
import type { Attribute, ContentType, Field, RelationKind } from "../../runtime/schema/content-type.ts";
import type { Registry } from "../../runtime/schema/registry.ts";
import { isUid } from "../../runtime/schema/uid.ts";
import { entriesIn, type Owner } from "../archive/component-entries.ts";
import { componentsIn, type StoredVersion } from "./entity-data.ts";
import type { LinkRows } from "./link-rows.ts";

/** A relation from a row or component entry to one document. */
export interface FoundRelation {
  readonly owner: Owner;
  readonly attribute: string;
  readonly relation: RelationKind;
  readonly target: { readonly type: string; readonly documentId: string };
  /** The one version that it targets, if the other side does not show it. */
  readonly version?: string | undefined;
  /** Its position in the owner's list. */
  readonly place: number | undefined;
  /** The attribute on the other side that shows it: empty if that could be any, null if there is none. */
  readonly inverse: string | null | undefined;
  readonly inversePlace: number | undefined;
}

export interface FoundFile {
  readonly owner: Owner;
  readonly attribute: string;
  readonly file: number;
  readonly place: number;
}

export interface Found {
  readonly relations: FoundRelation[];
  readonly files: FoundFile[];
}

/** The target's attribute that shows the relation from its side. */
const inverseOf = (registry: Registry, { uid }: ContentType, name: string, target: string): string | undefined => {
  if (!isUid(target) || !registry.has(target)) return undefined;
  return attributesOf(registry.contentType(target)).find(
    ([, attribute]) =>
      (isInverse(attribute) && attribute.target === uid && attribute.mappedBy === name) ||
      (isMorphInverse(attribute) && attribute.target === uid && attribute.morphBy === name),
  )?.[0];
};

const numberIn = (row: StoredVersion, column: string): number | undefined => {
  const value = row.get(column);
  return typeof value === "number" ? value : undefined;
};

interface Place {
  readonly registry: Registry;
  readonly type: ContentType;
  readonly row: StoredVersion;
  readonly owner: Owner;
  readonly links: LinkRows;
}

const addAttribute = (found: Found, name: string, attribute: Attribute, place: Place): void => {
  const { registry, type, row, owner, links } = place;
  if (attribute.type === "media") {
    const single = "column" in attribute ? numberIn(row, attribute.column.name) : undefined;
    const files = isFileLink(attribute) ? links.files(attribute.link, owner.ref) : single === undefined ? [] : [single];
    files.forEach((file, index) => found.files.push({ owner, attribute: name, file, place: index + 1 }));
    return;
  }
  if (attribute.type !== "relation") return;
  const common = { owner, attribute: name, relation: attribute.relation };
  if (isMorphToOne(attribute) || isToOne(attribute)) {
    const documentId = row.get(attribute.column.name);
    const target = isMorphToOne(attribute) ? row.get(attribute.typeColumn.name) : attribute.target;
    if (typeof documentId !== "string" || typeof target !== "string") return;
    const { inversePosition } = isMorphToOne(attribute) ? {} : attribute;
    found.relations.push({
      ...common,
      target: { type: target, documentId },
      place: undefined,
      inverse: isMorphToOne(attribute) ? undefined : inverseOf(registry, type, name, target),
      inversePlace: inversePosition && numberIn(row, inversePosition.name),
    });
  } else if (isToMany(attribute) || isMorphToMany(attribute)) {
    const only = isToMany(attribute) ? attribute.target : undefined;
    links.documents(attribute.link, owner.ref).forEach(({ documentId, documentType, version, inversePlace }, index) => {
      const target = { type: only ?? documentType ?? "", documentId };
      const anyInverse = only === undefined ? "" : undefined;
      const inverse = version === undefined ? (inverseOf(registry, type, name, target.type) ?? anyInverse) : null;
      found.relations.push({ ...common, target, version, place: index + 1, inverse, inversePlace });
    });
  }
};

const listIn = (value: unknown): readonly unknown[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];

const addRelationField = (
  found: Found,
  owner: Owner,
  name: string,
  field: Extract<Field, { type: "relation" }>,
  value: unknown,
): void => {
  const many = Array.isArray(value);
  listIn(value).forEach((item, index) => {
    const documentId = isRecord(item) ? item["documentId"] : item;
    const type = field.target ?? (isRecord(item) ? item["__type"] : undefined);
    const version = isRecord(item) && typeof item["version"] === "string" ? item["version"] : undefined;
    if (typeof documentId !== "string" || typeof type !== "string") return;
    found.relations.push({
      owner,
      attribute: name,
      relation: field.relation,
      target: { type, documentId },
      version,
      place: many ? index + 1 : undefined,
      inverse: version !== undefined ? null : field.target === undefined ? "" : undefined,
      inversePlace: undefined,
    });
  });
};

type Components = Extract<Field, { readonly type: "component" | "dynamiczone" }>;

const addEntries = (found: Found, registry: Registry, field: Components, value: unknown): void => {
  for (const { component, entry } of entriesIn(field, value)) {
    const ref = entry["id"];
    if (typeof ref !== "number") continue;
    const owner: Owner = { type: component, ref };
    const fields: Readonly<Record<string, Field>> = registry.component(component).attributes;
    for (const [name, inner] of Object.entries(fields)) {
      if (inner.type === "component" || inner.type === "dynamiczone") addEntries(found, registry, inner, entry[name]);
      else if (inner.type === "relation") addRelationField(found, owner, name, inner, entry[name]);
      else if (inner.type === "media") {
        listIn(entry[name]).forEach((file, index) => {
          if (typeof file === "number") found.files.push({ owner, attribute: name, file, place: index + 1 });
        });
      }
    }
  }
};

/** All links of a row, and of the component entries in it. */
export const linksOf = (
  registry: Registry,
  type: ContentType,
  row: StoredVersion,
  id: number,
  links: LinkRows,
): Found => {
  const found: Found = { relations: [], files: [] };
  const owner: Owner = { type: type.uid, ref: id };
  for (const [name] of attributesOf(type)) {
    const attribute = attributeOf(type, name);
    if (attribute === undefined) continue;
    if (isComponent(attribute)) addEntries(found, registry, attribute, componentsIn(row, attribute.column.name));
    else addAttribute(found, name, attribute, { registry, type, row, owner, links });
  }
  return found;
};
