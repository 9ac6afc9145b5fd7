/** Writing an article by hand: one statement that changes draft, published version and links, and builds the answer. */
import { createId } from "@paralleldrive/cuid2";
import type { Sql } from "postgres";

interface Component {
  readonly __component?: string;
  readonly [name: string]: unknown;
}

interface ArticleData {
  readonly title: string;
  readonly slug?: string;
  readonly summary: string;
  readonly body: unknown;
  readonly views: number;
  readonly author: string;
  readonly categories: readonly string[];
  readonly seo: Component;
  readonly sections: readonly Component[];
}

const iso = (column: string): string => `replace(${column}::text, ' ', 'T') || 'Z'`;

const answer = `select row_to_json(x)::text from (select id, document_id as "documentId", title, slug, summary, body, views, featured, day,
  ${iso("created_at")} as "createdAt", ${iso("updated_at")} as "updatedAt", ${iso("published_at")} as "publishedAt", locale from published) x`;

/** `$9` and `$10` are the two versions' seo, `$11` and `$12` their sections. */
const link = (version: string): string =>
  `insert into articles_categories (version_id, document_id, position, inverse_position)
   select ${version}.id, key, place, (select coalesce(max(l.inverse_position), 0) + 1 from articles_categories l where l.document_id = key)
   from ${version}, unnest($8::text[]) with ordinality as wanted(key, place)
   on conflict (version_id, document_id) do update set position = excluded.position`;

const columns =
  "document_id, locale, title, summary, body, views, author_document_id, seo, sections, slug, created_at, updated_at, published_at";
const values = (seo: string, sections: string, published: string): string =>
  `$1, 'en', $2, $3, $4::text::json, $5, $6, ${seo}::text::json, ${sections}::text::json, $7, now() at time zone 'utc', now() at time zone 'utc', ${published}`;

const create = `with document as (insert into documents (document_id, type) values ($1, 'api::article.article')),
  draft as (insert into articles (${columns}) values (${values("$9", "$11", "null")}) returning id),
  published as (insert into articles (${columns}) values (${values("$10", "$12", "now() at time zone 'utc'")}) returning *),
  one as (${link("draft")}), two as (${link("published")}) ${answer}`;

const set = (seo: string, sections: string): string =>
  `title = $2, summary = $3, body = $4::text::json, views = $5, author_document_id = $6, slug = coalesce($7, slug), seo = ${seo}::text::json,
   sections = ${sections}::text::json, updated_at = now() at time zone 'utc'`;

const remove = (version: string): string =>
  `delete from articles_categories l using ${version} where l.version_id = ${version}.id and not (l.document_id = any($8::text[]))`;

const update = `with document as (select document_id from documents where document_id = $1 for no key update),
  draft as (update articles a set ${set("$9", "$11")} from document d where a.document_id = d.document_id and locale = 'en' and published_at is null returning id),
  published as (update articles a set ${set("$10", "$12")}, published_at = now() at time zone 'utc' from document d
    where a.document_id = d.document_id and locale = 'en' and published_at is not null returning a.*),
  gone as (${remove("draft")}), gone2 as (${remove("published")}), one as (${link("draft")}), two as (${link("published")}) ${answer}`;

let next = 1_000_000_000;

const numbered = (component: Component): Component => ({ id: (next += 1), ...component });

/** The answer's `data` as JSON text, in the first column of the only row. */
export const writeArticle = (sql: Sql, data: ArticleData, document: string | undefined) => {
  const { title, slug = null, summary, body, views, author, categories, seo, sections } = data;
  const seos = [numbered(seo), numbered(seo)].map((each) => JSON.stringify(each));
  const zones = [sections.map(numbered), sections.map(numbered)].map((each) => JSON.stringify(each));
  const list = `{${categories.join()}}`;
  const parameters = [
    document ?? createId(),
    title,
    summary,
    JSON.stringify(body),
    views,
    author,
    slug,
    list,
    ...seos,
    ...zones,
  ];
  return sql.unsafe(document === undefined ? create : update, parameters, { prepare: true }).raw();
};
