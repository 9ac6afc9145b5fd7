/**
 * The content of a version as one JSON value, keyed by the names of the schema: the database builds it from the
 * version's rows.
 */
import { type SQL, sql } from "drizzle-orm";
import { identifier } from "../../base/identifier.ts";
import { remembering } from "../../base/remembering.ts";
import { formOf, JSON_FORMS } from "../../base/scalar-form.ts";
import {
  attributesOf,
  isComponent,
  isFileLink,
  isInverse,
  isMorphInverse,
  isMorphToMany,
  isMorphToOne,
  isScalar,
} from "../../documents/attributes.ts";
import { list } from "../../documents/sql/version.ts";
import type { Attribute, ContentType } from "../../schema/content-type.ts";

/** The system fields of every version. */
export const SYSTEM_NAMES = ["id", "createdAt", "updatedAt", "publishedAt"] as const;

/** The key of an attribute. */
export const keyOf = (name: string): string => identifier(name);

/** Passwords are not kept, nor are relations that other types store. */
export const isKept = (attribute: Attribute): boolean =>
  attribute.type !== "password" && !isInverse(attribute) && !isMorphInverse(attribute);

const typed = (type: SQL, documentId: SQL): SQL =>
  sql`json_build_object('__type', ${type}, 'documentId', ${documentId})`;

/** An attribute with a link table. */
export type Linked = Extract<Attribute, { readonly link: unknown }>;

const linksOf = ({ table }: ContentType, attribute: Linked): SQL => {
  const { link } = attribute;
  const item = isFileLink(attribute)
    ? sql`${attribute.link.fileId}`
    : isMorphToMany(attribute)
      ? typed(sql`${attribute.link.documentType}`, sql`${attribute.link.documentId}`)
      : sql`${attribute.link.documentId}`;
  return sql`(select json_agg(${item} order by ${link.position}) from ${link} where ${link.versionId} = ${table.id})`;
};

const valueOf = (type: ContentType, attribute: Attribute): SQL | undefined => {
  if (!isKept(attribute)) return undefined;
  if ("link" in attribute) return linksOf(type, attribute);
  if (!("column" in attribute)) return undefined;
  const { column } = attribute;
  if (isMorphToOne(attribute))
    return sql`case when ${column} is not null then ${typed(sql`${attribute.typeColumn}`, sql`${column}`)} end`;
  return isScalar(attribute) && !JSON_FORMS.has(formOf(attribute.type)) ? sql`${column}::text` : sql`${column}`;
};

/** The content of a row of the type's table. */
export const contentOf = remembering((type: ContentType): SQL => {
  const { table } = type;
  const system = SYSTEM_NAMES.map(
    (name) => [name, name === "id" ? sql`${table.id}` : sql`${table[name]}::text`] as const,
  );
  const own = attributesOf(type).flatMap(([name, attribute]) => {
    const value = valueOf(type, attribute);
    return value ? [[keyOf(name), value] as const] : [];
  });
  const columns = [...system, ...own].map(([name, value]) => sql`${value} as ${sql.identifier(name)}`);
  return sql`(select row_to_json(taken) from (select ${list(columns)}) as taken)`;
});

/** The keys of attributes whose entries have ids, which differ between copies of the same content. */
export const entryKeys = remembering((type: ContentType): readonly string[] =>
  attributesOf(type).flatMap(([name, attribute]) => (isComponent(attribute) ? [keyOf(name)] : [])),
);
