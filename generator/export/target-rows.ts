/** The rows of documents that relations point to: archives only have relations between rows. */
import { getTableName } from "drizzle-orm";
import { numberOf, requiredText, type Session } from "../../runtime/database/database.ts";
import type { ContentType } from "../../runtime/schema/content-type.ts";
import type { Registry } from "../../runtime/schema/registry.ts";
import { isUid } from "../../runtime/schema/uid.ts";
import { append, groupBy } from "../base/lists.ts";
import type { FoundRelation } from "./row-links.ts";

/** The version that has the relation. */
export interface Source {
  readonly draftAndPublish: boolean;
  readonly isPublished: boolean;
  readonly locale: string | null;
}

interface TargetRow {
  readonly id: number;
  readonly isPublished: boolean;
  readonly locale: string | null;
}

/** The target rows of a relation: from a type without drafts, both the draft and the published row. */
export type TargetsOf = (source: Source, relation: FoundRelation) => readonly number[];

const readRows = async (session: Session, { table }: ContentType, documentIds: readonly string[]) => {
  const column = table.locale ? `"${table.locale.name}"` : "null::text";
  const rows = await session.rows(
    `select document_id, id, published_at is not null, ${column} from "${getTableName(table)}"
     where document_id = any($1::text[]) order by published_at is not null, id`,
    [documentIds],
  );
  const found = new Map<string, TargetRow[]>();
  for (const [documentId, id, isPublished, where] of rows) {
    const locale = typeof where === "string" ? where : null;
    append(found, requiredText(documentId), { id: numberOf(id), isPublished: isPublished === true, locale });
  }
  return found;
};

const versionOf = ({ isPublished, locale }: TargetRow): string =>
  [isPublished ? "published" : "draft", locale ?? []].flat().join(" ");

/** A polymorphic relation names one row, of any locale and state: the one that is shown first. */
const oneOf = (rows: readonly TargetRow[], locale: string, version: string | undefined): readonly number[] => {
  const rank = (row: TargetRow): number =>
    (versionOf(row) === version ? 4 : 0) +
    (row.locale === null || row.locale === locale ? 2 : 0) +
    (row.isPublished ? 1 : 0);
  const [first] = rows.toSorted((left, right) => rank(right) - rank(left));
  return first === undefined ? [] : [first.id];
};

/** Reads the rows of all documents that the relations point to. */
export const readTargets = async (
  session: Session,
  registry: Registry,
  relations: readonly FoundRelation[],
  defaultLocale: string,
): Promise<TargetsOf> => {
  const read = new Map<string, { readonly type: ContentType; readonly rows: ReadonlyMap<string, TargetRow[]> }>();
  for (const [uid, own] of groupBy(relations, ({ target }) => target.type)) {
    if (!isUid(uid) || !registry.has(uid)) continue;
    const type = registry.contentType(uid);
    const ids = new Set(own.map(({ target }) => target.documentId));
    read.set(uid, { type, rows: await readRows(session, type, [...ids]) });
  }
  return (source, { target, relation, version }) => {
    const found = read.get(target.type);
    if (found === undefined) return [];
    if (relation.startsWith("morph"))
      return oneOf(found.rows.get(target.documentId) ?? [], source.locale ?? defaultLocale, version);
    const { draftAndPublish, localized } = found.type;
    const fits = ({ isPublished, locale }: TargetRow): boolean =>
      (!localized || locale === (source.locale ?? defaultLocale)) &&
      (!draftAndPublish || !source.draftAndPublish || isPublished === source.isPublished);
    return (found.rows.get(target.documentId) ?? []).filter(fits).map(({ id }) => id);
  };
};
