/** Three callers, and what each may not see: two databases per caller that differ in nothing else. */
import type { Caller } from "../../../runtime/access/caller.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { freshDatabase } from "../../support/database.ts";
import { listOf } from "../../support/field-lists.ts";
import { hide, MARKS } from "../query/hidden.ts";
import { seed } from "../query/seed.ts";
import { createTables } from "../query/tables.ts";

export interface Kept {
  readonly name: string;
  readonly caller: Caller;
  /** Statements that give what is kept from the caller one of two values. */
  hide(mark: string, other: boolean): string;
}

const doing = (...types: readonly string[]): ReadonlySet<string> =>
  new Set(types.flatMap((type) => [`api::${type}.${type}.find`, `api::${type}.${type}.findOne`]));

const open = doing("article", "author", "category", "comment");
const few = doing("article", "category");
const files = /^plugin::upload\./;

/** A number that rises with the rows in one world and falls in the other: whoever sorts by it tells them apart. */
const place = (other: boolean): string => (other ? "id % 100" : "100 - id % 100");

/** Values, links, times and whole documents that are drafts. */
const draftArticles = (mark: string, other: boolean): string => `
  update articles set title = '${mark} ' || ${place(other)}, slug = '${mark}', body = '${mark}', rating = ${place(other)},
    author_document_id = '${other ? "bob" : "cid"}', cover_id = ${other ? 1 : 2}, day = '2020-01-0${other ? 1 : 2}',
    updated_at = '20${other ? 19 : 29}-01-01', links = '[{"id":${other ? 801 : 802},"label":"${mark}"}]'
    where published_at is null;
  delete from articles_categories where ${other} and version_id in (select id from articles where published_at is null);
  insert into articles_gallery (version_id, file_id, position)
    select id, ${other ? 1 : 2}, 1 from articles where published_at is null;
  insert into documents (document_id, type) select 'unseen', 'api::article.article' where ${other};
  insert into articles (id, document_id, locale, title, author_document_id, created_at, updated_at)
    select 900, 'unseen', 'en', '${mark}', 'ann', '2020-01-01', '2020-01-01' where ${other};
  insert into articles_categories (version_id, document_id, position, inverse_position)
    select 900, 'leaf', 1, 0 where ${other};`;

const draftCategories = (mark: string, other: boolean): string => `
  update categories set name = '${mark} ' || ${place(other)}, position = ${place(other)}, updated_at = '20${other ? 19 : 29}-01-01'
    where published_at is null;
  insert into documents (document_id, type) select 'unseen-category', 'api::category.category' where ${other};
  insert into categories (id, document_id, name, created_at, updated_at)
    select 900, 'unseen-category', '${mark}', '2020-01-01', '2020-01-01' where ${other};
  insert into articles_categories (version_id, document_id, position, inverse_position)
    select id, 'unseen-category', 0, 1 from articles where published_at is not null and ${other};`;

/** Types that the role may not find, and where they stand in what it may. */
const typesOfOthers = (mark: string, other: boolean): string => `
  update authors set name = '${mark} ' || ${place(other)}, age = ${place(other)}, avatar_id = ${other ? 1 : 2},
    boss_document_id = ${other ? "null" : "'cid'"};
  update articles set author_document_id = '${other ? "bob" : "cid"}' where id <> 5 or ${other};
  update articles set links = replace(links::text, '"ann"', '"${other ? "bob" : "cid"}"')::json,
    sections = replace(sections::text, '"bob"', '"${other ? "ann" : "cid"}"')::json;
  update comments set content = '${mark}', subject_document_id = '${other ? "a1" : "a2"}',
    subject_type = 'api::article.article';
  delete from comments_mentions where ${other};`;

/** Attributes that the list of the token leaves out. */
const unlisted = (mark: string, other: boolean): string => `
  update articles set slug = '${mark} ' || ${place(other)}, body = '${mark} ' || ${place(other)}, rating = ${place(other)},
    views = ${place(other)}, price = ${place(other)}, score = ${place(other)}, featured = ${other},
    day = date '2020-01-01' + 10 * (${place(other)})::int, clock = '0${other ? 1 : 2}:00:00',
    moment = '2020-01-0${other ? 1 : 2}', extra = '{"mark":"${mark}"}',
    author_document_id = '${other ? "bob" : "cid"}';
  delete from articles_gallery where ${other};
  update authors set age = ${place(other)}, avatar_id = ${other ? 1 : 2}, boss_document_id = '${other ? "ann" : "cid"}';`;

export const kept: readonly Kept[] = [
  {
    name: "the public",
    caller: { kind: "public", can: (action) => open.has(action) || files.test(action) },
    hide: (mark, other) => draftArticles(mark, other) + draftCategories(mark, other),
  },
  {
    name: "a restricted role",
    caller: {
      kind: "user",
      roleId: 9,
      can: (action) => few.has(action) || files.test(action) || action === "api::category.category.readDraft",
    },
    hide: (mark, other) => draftArticles(mark, other) + typesOfOthers(mark, other),
  },
  {
    name: "a token with a list",
    caller: {
      kind: "token",
      can: (action) => !action.startsWith("api::vault."),
      fields: new Map([
        ["api::article.article", listOf("title", "cover", "categories", "related", "seo", "links", "sections")],
        ["api::author.author", listOf("name")],
      ]),
    },
    hide: unlisted,
  },
];

/** Drafts of everything that has none, which are as different as what is published. */
const drafts = `
  insert into articles (id, document_id, locale, title, rating, author_document_id, cover_id, seo, links, sections, created_at, updated_at)
    select id + 500, document_id, locale, title || ' draft', rating, author_document_id, cover_id, seo, links, sections, created_at, updated_at
    from articles as live where published_at is not null and not exists
      (select 1 from articles as draft where draft.document_id = live.document_id and draft.locale = live.locale and draft.published_at is null);`;

const world = async (one: Kept, other: boolean): Promise<Database> => {
  const database = await freshDatabase("postgres");
  await createTables(database);
  await seed(database);
  await database.script(drafts);
  const mark = MARKS[other ? 1 : 0];
  await hide(database, mark, other);
  await database.script(one.hide(mark, other));
  return database;
};

/** Two databases that differ in nothing but what the caller may not see. */
export const twins = async (one: Kept): Promise<readonly [Database, Database]> => [
  await world(one, false),
  await world(one, true),
];
