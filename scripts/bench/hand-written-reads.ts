/**
 * The benchmark's reads, written by hand: prepared statements in which PostgreSQL builds every document's JSON, and
 * buffers concatenated to the answer.
 */
import type { ServerResponse } from "node:http";
import postgres from "postgres";
import { PAGES } from "./requests.ts";

export const sql = postgres(process.env["DATABASE_URL"] ?? "", {
  max: 8,
  fetch_types: false,
  connection: { random_page_cost: 1.1, TimeZone: "UTC" },
});

const iso = (column: string): string => `replace(${column}::text, ' ', 'T') || 'Z'`;

const stamps = (table: string): string =>
  `${iso(`${table}.created_at`)} as "createdAt", ${iso(`${table}.updated_at`)} as "updatedAt", ${iso(`${table}.published_at`)} as "publishedAt"`;

const scalars = `t.id, t.document_id as "documentId", t.title, t.slug, t.summary, t.body, t.views, t.featured, t.day, ${stamps("t")}, t.locale`;

const fileColumns = `f.id, f.document_id as "documentId", f.name, f.alternative_text as "alternativeText", f.caption, f.focal_point as "focalPoint",
  f.width, f.height, f.formats, f.hash, f.ext, f.mime, f.size, f.url, f.preview_url as "previewUrl", f.provider, f.provider_metadata, ${stamps("f")}`;

const one = (columns: string, from: string): string =>
  `(select row_to_json(x) from (select ${columns} from ${from}) x)`;

const authorOf = (column: string): string =>
  one(
    `a.id, a.document_id as "documentId", a.name, a.email, a.bio, ${stamps("a")}`,
    `authors a where a.document_id = t.${column} and a.published_at is not null`,
  );

const categories = `(select coalesce(json_agg(row_to_json(x)), '[]'::json) from (
  select c.id, c.document_id as "documentId", c.name, c.slug, ${stamps("c")}
  from articles_categories l join categories c on c.document_id = l.document_id and c.published_at is not null
  where l.version_id = t.id order by l.position, c.id) x)`;

const related = `${authorOf("author_document_id")} as author, ${authorOf("reviewer_document_id")} as reviewer,
  ${categories} as categories, ${one(fileColumns, "files f where f.id = t.cover_id")} as cover`;

const seo = `(select row_to_json(s) from (select t.seo -> 'id' as id, t.seo -> 'title' as title, t.seo -> 'description' as description,
  ${one(fileColumns, "files f where f.id = (t.seo ->> 'image')::int")} as image) s)`;

const rows = (columns: string, tail: string): string =>
  `select row_to_json(r)::text from (select ${columns} from articles t where ${tail}) r`;

const live = "t.published_at is not null and t.locale = $1";
const SIZE = 25;

/**
 * One statement per page, with the offset in its text: then PostgreSQL plans it once. Of skipped rows it reads only the
 * id.
 */
const byPage = (statement: (page: string) => string): readonly string[] =>
  Array.from({ length: PAGES }, (_, index) => {
    const ids = `select t.id from articles t where ${live} order by t.id limit ${SIZE} offset ${index * SIZE}`;
    return statement(index === 0 ? `${live} order by t.id limit ${SIZE}` : `t.id = any(array(${ids})) order by t.id`);
  });

const filters = `${live} and t.views < $3 and exists
  (select 1 from authors a where a.document_id = t.author_document_id and a.published_at is not null and a.name = $2)`;

const statements = {
  one: rows(scalars, `${live} and t.document_id = $2`),
  list: byPage((page) => rows(scalars, page)),
  related: byPage((page) => rows(`${scalars}, ${related}`, page)),
  everything: byPage(
    (
      page,
    ) => `select row_to_json(r)::text, r2.sections::text from (select ${scalars}, ${related}, ${seo} as seo from articles t where ${page}) r
    join articles r2 on r2.id = r.id order by r.id`,
  ),
  files: `select f.id, row_to_json(x)::text from files f, lateral (select ${fileColumns}) x where f.id = any($1::int[])`,
  total: `select count(*)::int from articles t where ${live}`,
  filtered: `with matched as materialized (select t.id, t.views from articles t where ${filters}),
    page as (select id from matched order by views desc, id limit 25)
    select row_to_json(r)::text, (select count(*)::int from matched) from (
      select ${scalars} from articles t where t.id in (select id from page) order by t.views desc, t.id) r`,
};

const run = (text: string, parameters: (string | number | number[])[]) =>
  sql
    .unsafe(
      text,
      parameters.map((value) => (Array.isArray(value) ? `{${value.join()}}` : value)),
      { prepare: true },
    )
    .raw();

const comma = Buffer.from(",");
const open = Buffer.from('{"data":[');

const joined = (texts: readonly (Buffer | string)[]): Buffer[] =>
  texts.flatMap((text, index) => (index === 0 ? [Buffer.from(text)] : [comma, Buffer.from(text)]));

const first = (list: readonly (readonly (Buffer | null)[])[]): Buffer[] => list.map((row) => row[0] ?? Buffer.alloc(0));

export const send = (response: ServerResponse, parts: readonly Buffer[]): void => {
  const body = Buffer.concat([...parts]);
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length });
  response.end(body);
};

const meta = (page: number, total: number): Buffer =>
  Buffer.from(
    `],"meta":{"pagination":{"page":${page},"pageSize":${SIZE},"pageCount":${Math.ceil(total / SIZE)},"total":${total}}}}`,
  );

const sendList = (response: ServerResponse, texts: readonly (Buffer | string)[], page: number, total: number): void =>
  send(response, [open, ...joined(texts), meta(page, total)]);

interface Section {
  readonly __component: string;
  readonly image?: number;
}

/** Reads the zone's pictures once per page and inserts them into its JSON. */
const withSections = async (list: readonly (readonly (Buffer | null)[])[]): Promise<string[]> => {
  const zones = list.map((row): Section[] => JSON.parse(String(row[1])));
  const ids = new Set(zones.flat().flatMap(({ image }) => (image === undefined ? [] : [image])));
  const files = new Map((await run(statements.files, [[...ids]])).map((row) => [Number(row[0]), String(row[1])]));
  return list.map((row, index) => {
    const sections = zones[index]?.map(({ image, ...rest }) => {
      const text = JSON.stringify(rest);
      return image === undefined ? text : `${text.slice(0, -1)},"image":${files.get(image) ?? "null"}}`;
    });
    return `${String(row[0]).slice(0, -1)},"sections":[${sections?.join() ?? ""}]}`;
  });
};

/** Sends the published article with this documentId. */
export const sendOne = async (response: ServerResponse, document: string): Promise<void> => {
  const [row] = await run(statements.one, ["en", document]);
  send(response, [Buffer.from('{"data":'), row?.[0] ?? Buffer.from("null"), Buffer.from(',"meta":{}}')]);
};

/** The page in the address; the first by default. */
export const pageOf = (path: string): number =>
  Number(/&pagination(?:\[|%5B)page(?:\]|%5D)=(\d+)/.exec(path)?.[1] ?? 1);

/** Sends the first 25 with the benchmark's author and views. */
export const sendFiltered = async (response: ServerResponse): Promise<void> => {
  const list = await run(statements.filtered, ["en", "Author 7", 90_000]);
  sendList(response, first(list), 1, Number(list[0]?.[1] ?? 0));
};

export type Part = "list" | "related" | "everything";

/** Sends a page of 25, with relations or everything. */
export const sendPage = async (response: ServerResponse, part: Part, page: number): Promise<void> => {
  const text = statements[part][page - 1] ?? "";
  const [list, totals] = await Promise.all([run(text, ["en"]), run(statements.total, ["en"])]);
  sendList(response, part === "everything" ? await withSections(list) : first(list), page, Number(totals[0]?.[0]));
};
