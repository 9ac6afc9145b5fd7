/**
 * Writing an article by hand, as a correct server must: it validates the body, checks in one transaction that everything
 * the body names exists, locks what it changes, and sends one statement per version.
 */
import type { Sql } from "postgres";
import { z } from "zod";
import { createId } from "../../runtime/base/create-id.ts";

const article = z.strictObject({
  title: z.string().max(255),
  slug: z
    .string()
    .regex(/^[\w.~-]*$/)
    .max(255)
    .nullable()
    .default(null),
  summary: z.string(),
  body: z.array(z.looseObject({ type: z.string(), children: z.array(z.looseObject({ type: z.string() })) })),
  views: z.int32(),
  author: z.string(),
  categories: z.array(z.string()),
  seo: z.strictObject({ title: z.string().max(255), description: z.string() }),
  sections: z.array(
    z.discriminatedUnion("__component", [
      z.strictObject({ __component: z.literal("blocks.quote"), text: z.string(), by: z.string().max(255) }),
      z.strictObject({ __component: z.literal("blocks.text"), body: z.string() }),
    ]),
  ),
});

type Article = z.output<typeof article>;

const iso = (column: string): string => `replace(${column}::text, ' ', 'T') || 'Z'`;

const answer = `select row_to_json(x)::text from (select id, document_id as "documentId", title, slug, summary, body, views, featured, day,
  ${iso("created_at")} as "createdAt", ${iso("updated_at")} as "updatedAt", ${iso("published_at")} as "publishedAt", locale from published) x`;

type Version = "draft" | "published";

const documentInsert = "insert into documents (document_id, type) values ($1, 'api::article.article')";

const link = (version: Version): string =>
  `insert into articles_categories (version_id, document_id, position, inverse_position)
   select ${version}.id, key, place, (select coalesce(max(l.inverse_position), 0) + 1 from articles_categories l where l.document_id = key)
   from ${version}, unnest($8::text[]) with ordinality as wanted(key, place)
   on conflict (version_id, document_id) do update set position = excluded.position`;

const remove = (version: Version): string =>
  `delete from articles_categories l using ${version} where l.version_id = ${version}.id and not (l.document_id = any($8::text[]))`;

const columns =
  "document_id, locale, title, summary, body, views, author_document_id, seo, sections, slug, created_at, updated_at, published_at";

const now = "now() at time zone 'utc'";

const insert = (version: Version, seo: string, sections: string): string =>
  `insert into articles (${columns}) values ($1, 'en', $2, $3, $4::text::json, $5, $6, ${seo}::text::json, ${sections}::text::json, $7,
   ${now}, ${now}, ${version === "draft" ? "null" : now}) returning *`;

const update = (version: Version, seo: string, sections: string): string =>
  `update articles set title = $2, summary = $3, body = $4::text::json, views = $5, author_document_id = $6, slug = coalesce($7, slug),
   seo = ${seo}::text::json, sections = ${sections}::text::json, updated_at = ${now}${version === "draft" ? "" : `, published_at = ${now}`}
   where document_id = $1 and locale = 'en' and published_at is ${version === "draft" ? "null" : "not null"} returning *`;

const checked = {
  lock: "select 1 from documents where document_id = $1 and type = 'api::article.article' for no key update",
  author: "select 1 from authors where document_id = $1 limit 1",
  categories: "select count(distinct document_id)::int from categories where document_id = any($1::text[])",
  insertDraft: `with document as (${documentInsert}), draft as (${insert("draft", "$9", "$10")}), one as (${link("draft")}) select 1`,
  insertPublished: `with published as (${insert("published", "$9", "$10")}), one as (${link("published")}) ${answer}`,
  updateDraft: `with draft as (${update("draft", "$9", "$10")}), gone as (${remove("draft")}), one as (${link("draft")}) select 1`,
  updatePublished: `with published as (${update("published", "$9", "$10")}), gone as (${remove("published")}), one as (${link("published")}) ${answer}`,
};

let next = 1_000_000_000;

const numbered = (component: object): object => ({ id: (next += 1), ...component });

/** The component parameters of one version: entries have different ids in each. */
const componentsOf = ({ seo, sections }: Article): { readonly seo: string; readonly sections: string } => ({
  seo: JSON.stringify(numbered(seo)),
  sections: JSON.stringify(sections.map(numbered)),
});

/** `$1` to `$8`. */
const parametersOf = (documentId: string, data: Article) => {
  const { title, slug, summary, body, views, author, categories } = data;
  return [documentId, title, summary, JSON.stringify(body), views, author, slug, `{${categories.join()}}`];
};

/** The error message for a client whose request cannot be carried out. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const textIn = (rows: readonly (readonly unknown[])[]): Buffer => {
  const text = rows[0]?.[0];
  if (!Buffer.isBuffer(text)) throw new Error("A write without an answer");
  return text;
};

const UNIQUE_VIOLATION = "23505";

/**
 * Stores an unvalidated body, and returns the answer's `data` as JSON text. `document` is the one to change; without it,
 * creates one. Throws a Refusal if it cannot be stored.
 */
export const writeChecked = async (sql: Sql, body: unknown, document: string | undefined): Promise<Buffer> => {
  const parsed = article.safeParse(body);
  if (!parsed.success) throw new Refusal(400, z.prettifyError(parsed.error));
  const { data } = parsed;
  const parameters = parametersOf(document ?? createId(), data);
  const isNew = document === undefined;
  try {
    return await sql.begin(async (transaction) => {
      const run = (text: string, values: (string | number | null)[]) =>
        transaction.unsafe(text, values, { prepare: true }).raw();
      const [author, categories, found] = await Promise.all([
        run(checked.author, [data.author]),
        run(checked.categories, [`{${data.categories.join()}}`]),
        isNew ? undefined : run(checked.lock, [document]),
      ]);
      if (found?.length === 0) throw new Refusal(404, "Not Found");
      if (author.length === 0) throw new Refusal(400, `There is no author ${data.author}`);
      if (Number(String(categories[0]?.[0])) !== new Set(data.categories).size) {
        throw new Refusal(400, "A category is not there");
      }
      const [draft, published] = [componentsOf(data), componentsOf(data)];
      const [, stored] = await Promise.all([
        run(isNew ? checked.insertDraft : checked.updateDraft, [...parameters, draft.seo, draft.sections]),
        run(isNew ? checked.insertPublished : checked.updatePublished, [
          ...parameters,
          published.seo,
          published.sections,
        ]),
      ]);
      return textIn(stored);
    });
  } catch (error) {
    const isRepeated = error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
    throw isRepeated ? new Refusal(400, "This attribute must be unique") : error;
  }
};
