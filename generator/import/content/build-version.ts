/** Turns a staged row into a version: the values of its columns, and the rows of its link tables. */
import { getTableColumns } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { ValidationError } from "../../../runtime/base/errors.ts";
import { toInstant } from "../../../runtime/base/instant.ts";
import {
  attributesOf,
  isFileLink,
  isMorphToMany,
  isMorphToOne,
  isScalar,
  isToMany,
  isToOne,
} from "../../../runtime/documents/attributes.ts";
import type { Attribute, ContentType, Field, Json } from "../../../runtime/schema/content-type.ts";
import type { Owner } from "../../archive/component-entries.ts";
import { type Building, buildEntries, filesOf, referenceTo, remarkGone, targetsOf } from "./build-value.ts";
import { fit } from "./fit.ts";
import { remarkFaults } from "./remark-faults.ts";

/** A row read from the archive, with what was determined about it. */
export interface StagedRow {
  readonly ref: number;
  readonly documentId: string;
  readonly locale: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Values by column name. */
export type StoredRow = Readonly<Record<string, Json>>;

export interface BuiltVersion {
  readonly id: number;
  readonly documentId: string;
  readonly locale: string | null;
  readonly isPublished: boolean;
  readonly columns: Record<string, Json>;
  /** The version's rows in other tables. */
  readonly links: readonly { readonly table: PgTable; readonly rows: readonly StoredRow[] }[];
}

/** A timestamp of the source; undefined if invalid. */
const instantIn = (value: unknown): string | undefined => {
  try {
    return value === null || value === undefined ? undefined : toInstant(value);
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
};

const BEGINNING = "1970-01-01T00:00:00.000Z";

/** When it was created, updated and published, as far as the source knows. */
export const instantsOf = (data: Readonly<Record<string, unknown>>) => {
  const updated = instantIn(data["updatedAt"]);
  const createdAt = instantIn(data["createdAt"]) ?? updated ?? BEGINNING;
  const updatedAt = updated ?? createdAt;
  return { createdAt, updatedAt, publishedAt: instantIn(data["publishedAt"]) ?? updatedAt };
};

interface Place {
  readonly building: Building;
  readonly owner: Owner;
  readonly name: string;
  readonly columns: Record<string, Json>;
  readonly links: { table: PgTable; rows: StoredRow[] }[];
  readonly id: number;
}

type MediaAttribute = Extract<Attribute, { readonly type: "media" }>;

const storeFiles = (attribute: MediaAttribute, { building, owner, name, columns, links, id }: Place): unknown => {
  const files = filesOf(building, owner, name, { many: isFileLink(attribute), path: name });
  if ("column" in attribute) {
    const [file] = files;
    columns[attribute.column.name] = file ?? null;
    return file;
  }
  const { versionId, fileId, position } = attribute.link;
  const rows = files.map((file, at) => ({ [versionId.name]: id, [fileId.name]: file, [position.name]: at + 1 }));
  links.push({ table: attribute.link, rows });
  return files;
};

type RelationAttribute = Extract<Attribute, { readonly type: "relation" }>;

/** Stores a relation; returns the value for its validator. */
const storeRelation = (attribute: RelationAttribute, place: Place): unknown => {
  const { building, owner, name, columns, links, id } = place;
  if (isToOne(attribute) || isMorphToOne(attribute)) {
    const target = "target" in attribute ? attribute.target : undefined;
    const [found] = targetsOf(building, owner, name, { target, many: false, path: name });
    columns[attribute.column.name] = found?.documentId ?? null;
    if (isMorphToOne(attribute)) columns[attribute.typeColumn.name] = found?.type ?? null;
    else if (attribute.inversePosition) {
      columns[attribute.inversePosition.name] = found === undefined ? null : (found.place ?? id);
    }
    return found && referenceTo(target, found);
  }
  if (isToMany(attribute) || isMorphToMany(attribute)) {
    const { link } = attribute;
    const target = "target" in attribute ? attribute.target : undefined;
    const all = targetsOf(building, owner, name, { target, many: true, path: name });
    const rows = all.map(({ type, documentId, place, version }, index) => ({
      [link.versionId.name]: id,
      [link.documentId.name]: documentId,
      [link.position.name]: index + 1,
      ...("documentType" in link ? { [link.documentType.name]: type, [link.documentVersion.name]: version } : {}),
      ...(link.inversePosition ? { [link.inversePosition.name]: place ?? id } : {}),
    }));
    links.push({ table: link, rows });
    return all.map((each) => referenceTo(target, each));
  }
  // The other side stores it.
  for (const each of building.links.documents(owner, name)) {
    building.remark(name, "lost", "is stored by the other side of the relation here", each.documentId);
  }
  return undefined;
};

const storeAttribute = (
  attribute: Attribute,
  { name, data }: { readonly name: string; readonly data: StagedRow["data"] },
  place: Place,
): unknown => {
  const { building, columns } = place;
  if (isScalar(attribute)) {
    const { value, problem } = fit(attribute, data[name], attribute.column);
    if (problem !== undefined) {
      building.remark(name, "lost", problem, attribute.type === "password" ? undefined : data[name]);
    }
    columns[attribute.column.name] = value;
    return value;
  }
  if (attribute.type === "media") return storeFiles(attribute, place);
  if (attribute.type === "relation") return storeRelation(attribute, place);
  const value = buildEntries(building, attribute, data[name], name);
  columns[attribute.column.name] = value;
  return value;
};

/** Builds one version of a row. `building` says which one; `id` is the version's new id. */
export const buildVersion = (building: Building, type: ContentType, row: StagedRow, id: number): BuiltVersion => {
  const { documentId, locale, data } = row;
  const { table } = type;
  const owner: Owner = { type: type.uid, ref: row.ref };
  const { createdAt, updatedAt, publishedAt } = instantsOf(data);
  const columns: Record<string, Json> = {
    [table.id.name]: id,
    [table.documentId.name]: documentId,
    [table.createdAt.name]: createdAt,
    [table.updatedAt.name]: updatedAt,
    [table.publishedAt.name]: building.isPublished ? publishedAt : null,
    ...(table.locale ? { [table.locale.name]: locale } : {}),
  };
  const links: Place["links"] = [];
  const attributes: Readonly<Record<string, Field>> = type.attributes;
  remarkGone(building, attributes, { owner, data, path: "" });
  const values = attributesOf(type).map(([name, attribute]): readonly [string, unknown] => [
    name,
    storeAttribute(attribute, { name, data }, { building, owner, name, columns, links, id }),
  ]);
  remarkFaults(building, type, values);
  return { id, documentId, locale, isPublished: building.isPublished, columns, links };
};

/** The columns of a table in the form that `json_to_recordset` takes. */
export const columnTypes = (table: PgTable): readonly (readonly [name: string, type: string])[] =>
  Object.values(getTableColumns(table)).flatMap((column) =>
    column.generated ? [] : [[column.name, column.getSQLType()] as const],
  );
