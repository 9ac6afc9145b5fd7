/**
 * The minimal cost of writing a story: one statement, no checks. `one row` stores the row that is read afterwards;
 * `stored` stores all that any server with drafts and ordered relations has to: the document, both versions, and their
 * links with the positions on both sides.
 */
import type { ServerResponse } from "node:http";
import { createId } from "../../runtime/base/create-id.ts";
import { send, sql } from "./hand-written-reads.ts";

/** A story as the benchmark sends it. */
interface Story {
  readonly title: string;
  readonly slug?: string;
  readonly summary: string;
  readonly data: unknown;
  readonly views: number;
  readonly rating: number;
  readonly featured: boolean;
  readonly day: string;
  readonly cover: number;
  readonly author: string;
  readonly categories: readonly string[];
  readonly seo: object;
  readonly sections: readonly object[];
}

type Version = "draft" | "published";

const DOCUMENT = "document as (insert into documents (document_id, type) values ($1, 'api::story.story'))";
const COLUMNS =
  "document_id, title, slug, summary, data, views, rating, featured, day, cover_id, author_document_id, seo, sections, created_at, updated_at, published_at";
const NOW = "now() at time zone 'utc'";

/** `$13` and `$15` are the components of the draft, `$14` and `$16` those of the published version. */
const componentsOf = (version: Version): readonly [seo: string, sections: string] =>
  version === "draft" ? ["$13::text::json", "$15::text::json"] : ["$14::text::json", "$16::text::json"];

const insert = (version: Version): string =>
  `${version} as (insert into stories (${COLUMNS}) values ($1, $2, $3, $4, $5::text::json, $6, $7, $8, $9, $10, $11,
    ${componentsOf(version).join()}, ${NOW}, ${NOW}, ${version === "draft" ? "null" : NOW}) returning *)`;

const update = (version: Version): string => {
  const [seo, sections] = componentsOf(version);
  return `${version} as (update stories set title = $2, slug = coalesce($3, slug), summary = $4, data = $5::text::json, views = $6,
    rating = $7, featured = $8, day = $9, cover_id = $10, author_document_id = $11, seo = ${seo}, sections = ${sections},
    updated_at = ${NOW}, published_at = ${version === "draft" ? "null" : NOW}
    where document_id = $1 and (published_at is not null) is ${String(version === "published")} returning *)`;
};

const unlink = (version: Version): string =>
  `${version}_unlinked as (delete from stories_categories l using ${version}
    where l.version_id = ${version}.id and not (l.document_id = any($12::text[])))`;

const link = (version: Version): string =>
  `${version}_linked as (insert into stories_categories (version_id, document_id, position, inverse_position)
    select ${version}.id, key, place,
      (select coalesce(max(l.inverse_position), 0) + 1 from stories_categories l where l.document_id = key)
    from ${version}, unnest($12::text[]) with ordinality as wanted(key, place)
    on conflict (version_id, document_id) do update set position = excluded.position)`;

const instant = (column: string): string => `replace(${column}::text, ' ', 'T') || 'Z'`;

const answer = (version: Version): string =>
  `select row_to_json(x)::text from (select id, document_id as "documentId", title, slug, summary, data, views, rating, featured, day,
    ${instant("created_at")} as "createdAt", ${instant("updated_at")} as "updatedAt", ${instant("published_at")} as "publishedAt"
    from ${version}) x`;

/** The parameters that a statement does not use need their types here. */
const UNUSED = "unused as (select $12::text[], $13::text, $14::text, $15::text, $16::text)";

/** One statement of these parts, which answers with one of the versions. */
const statement = (parts: readonly string[], shown: Version): string =>
  `with ${[...parts, UNUSED].join(",\n")} ${answer(shown)}`;

/** The statements for new and for existing stories, by what they store. */
const statements = {
  "one row": (isNew: boolean, status: Version) => (isNew ? [DOCUMENT, insert(status)] : [update(status)]),
  stored: (isNew: boolean, status: Version) => {
    const versions: readonly Version[] = status === "draft" ? ["draft"] : ["draft", "published"];
    const parts = versions.flatMap((each) =>
      isNew ? [insert(each), link(each)] : [update(each), unlink(each), link(each)],
    );
    return isNew ? [DOCUMENT, ...parts] : parts;
  },
} satisfies Record<string, (isNew: boolean, status: Version) => readonly string[]>;

/** What the limit stores. */
export type Stored = keyof typeof statements;

const texts = new Map<string, string>();

const textOf = (stored: Stored, isNew: boolean, status: Version): string => {
  const key = `${stored} ${String(isNew)} ${status}`;
  let text = texts.get(key);
  if (text === undefined) texts.set(key, (text = statement(statements[stored](isNew, status), status)));
  return text;
};

let next = 1_000_000_000;

const numbered = (component: object): object => ({ id: (next += 1), ...component });

/** Stores a story and answers with it; without `documentId`, creates one. */
export const writeStory = async (
  response: ServerResponse,
  story: Story,
  {
    stored,
    documentId,
    status,
  }: { readonly stored: Stored; readonly documentId: string | undefined; readonly status: Version },
): Promise<void> => {
  const {
    title,
    slug = null,
    summary,
    data,
    views,
    rating,
    featured,
    day,
    cover,
    author,
    categories,
    seo,
    sections,
  } = story;
  const seoText = (): string => JSON.stringify(numbered(seo));
  const sectionsText = (): string => JSON.stringify(sections.map(numbered));
  const parameters = [
    documentId ?? createId(),
    title,
    slug,
    summary,
    JSON.stringify(data),
    views,
    rating,
    featured,
    day,
    cover,
    author,
    `{${categories.join()}}`,
    seoText(),
    seoText(),
    sectionsText(),
    sectionsText(),
  ];
  const rows = await sql.unsafe(textOf(stored, documentId === undefined, status), parameters, { prepare: true }).raw();
  send(response, [Buffer.from('{"data":'), rows[0]?.[0] ?? Buffer.from("null"), Buffer.from(',"meta":{}}')]);
};
