/** Publishes relations from their inverse side, which does not store them. */
import { type SQL, sql } from "drizzle-orm";
import { type Bound, statementOf } from "../../database/statement.ts";
import { assigned, assignments, differs, moved } from "./inverse.ts";
import type { ColumnKeeper, Keeper, LinkKeeper } from "./keeper.ts";
import { list, named, value } from "./version.ts";

/**
 * Makes the links of the published versions of `documents` to `documentId` equal to those of their drafts. With a
 * locale, only versions in that locale are changed.
 */
export const publishInverse = (
  keeper: Keeper,
  documentId: string,
  { documents, locale }: { readonly documents: readonly string[]; readonly locale: string | null },
): readonly Bound[] => {
  const statements = "link" in keeper ? publishLinks(keeper, locale !== null) : publishColumn(keeper, locale !== null);
  const values = { documentId, documents, ...(locale === null ? {} : { locale }) };
  return statements.map((statement) => ({ statement, values }));
};

const column = (table: "draft" | "published", { name }: { readonly name: string }): SQL =>
  sql`${sql.identifier(table)}.${sql.identifier(name)}`;

/** Pairs of the draft and the published version of the same document, in one locale. */
const pairs = ({ type }: Keeper, hasLocale: boolean) => {
  const { locale } = type.table;
  const sameLocale = locale ? sql` and ${column("draft", locale)} = ${column("published", locale)}` : sql``;
  const inLocale = locale && hasLocale ? sql` and ${column("published", locale)} = ${value("locale")}` : sql``;
  const { documentId, publishedAt, id } = type.table;
  return {
    id: column("published", id),
    match: sql`${column("published", documentId)} = any(${value("documents")}::text[]) and ${column("draft", documentId)} = ${column("published", documentId)}${sameLocale} and ${column("draft", publishedAt)} is null and ${column("published", publishedAt)} is not null${inLocale}`,
  };
};

const publishLinks = (keeper: LinkKeeper, hasLocale: boolean) => {
  const { link, type } = keeper;
  const key = hasLocale ? "locale" : "";
  return [
    statementOf(link, `publish inverse remove ${key}`, () => {
      const { match, id } = pairs(keeper, hasLocale);
      const draftLink = sql`select 1 from ${link} as kept where kept.${named(link.versionId)} = ${column("draft", type.table.id)} and kept.${named(link.documentId)} = ${value("documentId")}`;
      return sql`delete from ${link} using ${type.table} as published, ${type.table} as draft where ${link.versionId} = ${id} and ${link.documentId} = ${value("documentId")} and ${match} and not exists (${draftLink})`;
    }),
    statementOf(link, `publish inverse add ${key}`, () => {
      const { match, id } = pairs(keeper, hasLocale);
      const inverse = link.inversePosition;
      const columns = [link.versionId, link.documentId, link.position, ...(inverse ? [inverse] : [])];
      const copied = [link.position, ...(inverse ? [inverse] : [])];
      return sql`insert into ${link} (${list(columns.map(named))}) select ${id}, ${value("documentId")}, ${list(copied.map((each) => sql`${each}`))} from ${link} join ${type.table} as draft on ${column("draft", type.table.id)} = ${link.versionId} join ${type.table} as published on ${match} where ${link.documentId} = ${value("documentId")} on conflict (${named(link.versionId)}, ${named(link.documentId)}) ${moved(link)}`;
    }),
  ];
};

const publishColumn = (keeper: ColumnKeeper, hasLocale: boolean) => {
  const { column: stored, type, name } = keeper;
  return [
    statementOf(type.table, `publish inverse ${name} ${hasLocale ? "locale" : ""}`, () => {
      const { match } = pairs(keeper, hasLocale);
      const leads = sql`${column("draft", stored)} = ${value("documentId")}`;
      const asInDraft = assignments(
        keeper,
        sql`case when ${leads} then ${value("documentId")} end`,
        (position) => sql`case when ${leads} then ${column("draft", position)} end`,
      );
      return sql`update ${type.table} as published set ${assigned(asInDraft)} from ${type.table} as draft where ${match} and (${leads} or ${column("published", stored)} = ${value("documentId")}) and ${differs(asInDraft, (each) => column("published", each))}`;
    }),
  ];
};
