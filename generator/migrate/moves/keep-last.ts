/** Keeps the last versions of the documents of a removed type as deletions: they are restored when the type is back. */
import { identifier } from "../../../runtime/base/identifier.ts";
import { formOf, isScalarType, JSON_FORMS } from "../../../runtime/base/scalar-form.ts";
import type { Change, Findings } from "../change.ts";
import type { AttributeOutline, ContentTypeOutline } from "../snapshot.ts";
import { literal, quote } from "../sql.ts";
import { keepsVersions, VERSIONS } from "./move-history.ts";

const typed = (type: string, documentId: string): string =>
  `json_build_object('__type', ${quote(type)}, 'documentId', ${quote(documentId)})`;

const linksOf = (attribute: AttributeOutline, link: string): string => {
  const isTyped = attribute.kind === "relation" && attribute.target === undefined;
  const item = isTyped
    ? typed("document_type", "document_id")
    : quote(attribute.kind === "media" ? "file_id" : "document_id");
  return `(select json_agg(${item} order by "position") from ${quote(link)} where "version_id" = version."id")`;
};

/** As the runtime keeps it; undefined for passwords, and for relations that another type stores. */
const valueOf = (attribute: AttributeOutline): string | undefined => {
  if ("link" in attribute && attribute.link !== undefined) return linksOf(attribute, attribute.link);
  if (attribute.column === undefined) return undefined;
  const column = `version.${quote(attribute.column)}`;
  if (attribute.kind === "relation" && attribute.typeColumn !== undefined)
    return `case when ${column} is not null then ${typed(attribute.typeColumn, attribute.column)} end`;
  if (attribute.kind !== "scalar") return column;
  if (attribute.type === "password") return undefined;
  return isScalarType(attribute.type) && JSON_FORMS.has(formOf(attribute.type)) ? column : `${column}::text`;
};

const SYSTEM: readonly (readonly [value: string, key: string])[] = [
  [`version."id"`, "id"],
  [`version."created_at"::text`, "createdAt"],
  [`version."updated_at"::text`, "updatedAt"],
  [`version."published_at"::text`, "publishedAt"],
];

const insertion = (uid: string, { table, localized, attributes }: ContentTypeOutline, where: string): string => {
  const own = Object.entries(attributes).flatMap(([name, attribute]) => {
    const value = valueOf(attribute);
    return value === undefined ? [] : [[value, identifier(name)] as const];
  });
  const content = [...SYSTEM, ...own].map(([value, key]) => `${value} as ${quote(key)}`).join(",\n      ");
  const locale = localized ? `version."locale"` : "''";
  return (
    `insert into ${quote(VERSIONS)} ("type", "document_id", "locale", "status", "action", "at", "content")\n` +
    `select ${literal(uid)}, version."document_id", ${locale}, case when version."published_at" is null then 'draft' else 'published' end,\n` +
    `  'delete', now() at time zone 'utc', (select row_to_json(kept) from (select ${content}) as kept)\n` +
    `from ${quote(table)} as version${where}\norder by version."id";`
  );
};

/** Keeps what a removed type has, if it has a history. Returns whether it does. */
export const keepLast = (findings: Findings, change: Change, uid: string): boolean => {
  const { old } = change;
  const type = old.contentTypes[uid];
  if (type === undefined || !keepsVersions(change) || old.history?.includes(uid) === false) return false;
  // Older snapshots do not record which types keep versions: those of which there are some.
  const where = old.history ? "" : `\nwhere exists (select from ${quote(VERSIONS)} where "type" = ${literal(uid)})`;
  findings.moved.add(type.table);
  findings.draft.steps.push({
    stage: "move",
    sql: insertion(uid, type, where),
    does: `keeps the last versions of the documents of ${uid} as deletions in ${VERSIONS}`,
  });
  return true;
};
