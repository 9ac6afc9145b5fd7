/** The answer of a write is what a read finds right after it, and what is published equals its draft. */
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import generated from "../../../generated/index.ts";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import { authApp, textAt } from "../../support/auth-app.ts";
import { createTables } from "../../support/create-tables.ts";
import { bothDatabases, freshDatabase } from "../../support/database.ts";
import { secrets, testServices } from "../../support/services.ts";
import { application, things, types, values } from "./things.ts";

const textOf = (document: object | null, key: string): string => String(document && Reflect.get(document, key));

test.each(bothDatabases)("every scalar is answered as it is read, in a draft and published, on %s", async (kind) => {
  const database = await freshDatabase(kind, onTestFinished);
  await createTables(database, { things });
  const documents = anyDocuments(await testServices(application, { database }))("api::thing.thing");
  const most = Math.max(...types.map((type) => values[type].length));
  for (let turn = 0; turn <= most; turn += 1) {
    // In the last turn all are null.
    const data = Object.fromEntries(types.map((type) => [type, values[type][turn % values[type].length] ?? null]));
    if (turn === most) for (const type of types) data[type] = null;
    const created = await documents.create({ data: { ...data, single: data }, status: "draft" });
    const id = textOf(created, "documentId");
    expect(created).toEqual(await documents.findOne(id, { status: "draft" }));
    expect(await documents.update(id, { data: { ...data, single: data } })).toEqual(await documents.findOne(id));
    const fields = ["decimal", "timestamp"];
    const again = await documents.update(id, { data: { single: null, list: [data] }, fields });
    expect(again).toEqual(await documents.findOne(id, { fields }));
    await documents.delete(id);
    const other = await documents.create({ data });
    const [published, draft] = await Promise.all([
      documents.findOne(textOf(other, "documentId")),
      documents.findOne(textOf(other, "documentId"), { status: "draft" }),
    ]);
    expect(other).toEqual(published);
    const own = { id: expect.anything(), publishedAt: expect.anything() };
    expect({ ...draft, ...own }).toEqual({ ...other, ...own });
    await documents.delete(textOf(other, "documentId"));
  }
});

const some = <Of>(arbitrary: fc.Arbitrary<Of>) => fc.option(arbitrary, { nil: undefined });
const index = fc.nat(3);
const indexes = fc.uniqueArray(index, { maxLength: 3 });

const step = fc.record({
  isNew: fc.boolean(),
  document: fc.nat(2),
  status: fc.constantFrom("draft", "published"),
  locale: fc.constantFrom("en", "en", "de"),
  fields: some(fc.constant("title,featured")),
  populate: some(fc.constant("*")),
  excerpt: some(fc.constantFrom("", "Words", null)),
  featured: some(fc.boolean()),
  author: some(fc.option(index)),
  tags: some(indexes),
  connected: some(indexes),
  gallery: some(indexes),
  related: some(fc.uniqueArray(fc.nat(2), { maxLength: 2 })),
  seo: some(fc.constantFrom(null, { metaTitle: "Title" })),
  sections: some(fc.array(fc.constant({ __component: "blocks.quote", text: "Quote" }), { maxLength: 2 })),
});

type Step = typeof step extends fc.Arbitrary<infer Of> ? Of : never;

const LINKS = [
  ["articles_tags", "document_id", "position, inverse_position"],
  ["articles_categories", "document_id", "position, inverse_position"],
  ["articles_gallery", "file_id", "position"],
  ["articles_related", "document_id", "position"],
] as const;

const FILES = `insert into files (document_id, name, hash, mime, size, url, provider, created_at, updated_at)
  select 'file' || n, 'f' || n, 'f' || n, 'image/png', 1, '/f' || n, 'local', now(), now() from generate_series(1, 4) n`;

const at = (ids: readonly string[], wanted: readonly number[]) => wanted.flatMap((each) => ids[each] ?? []);

test.each(bothDatabases)(
  "random writes are answered as they are read, and published as drafted, on %s",
  async (kind) => {
    const database = await freshDatabase(kind, onTestFinished);
    await migrate(database, "generated/migrations");
    await database.script(FILES);
    const config = { locales: { default: "en", codes: ["en", "de"] } };
    const app = await authApp({ database, application: generated, config, cleanup: onTestFinished });
    const access = { name: "full", type: "full-access", permissions: [], expiresAt: null } as const;
    const token = await createApiToken(database, secrets.tokenSalt, access);
    const send = async (method: string, path: string, data?: object) => {
      const { status, body } = await app.send(method, path, { token, ...(data ? { body: { data } } : {}) });
      expect(status, JSON.stringify(body)).toBeLessThan(300);
      return body;
    };
    const create = async (path: string, data: object): Promise<string> =>
      textAt(await send("POST", path, data), "data.documentId");
    const [authors, tags]: [string[], string[]] = [[], []];
    for (const number of [1, 2, 3, 4]) {
      authors.push(await create("/api/authors", { name: `Author ${number}`, slug: `a${number}` }));
      tags.push(await create("/api/tags", { name: `Tag ${number}`, slug: `t${number}` }));
    }
    let slug = 0;
    const [articles, targets]: [string[], string[]] = [[], []];
    for (const number of [1, 2, 3]) {
      articles.push(await create("/api/articles", { title: `${number}`, slug: `${number}` }));
      const target = await create("/api/articles", { title: `To ${number}`, slug: `to-${number}` });
      await send("PUT", `/api/articles/${target}?locale=de`, { title: `An ${number}`, slug: `an-${number}` });
      targets.push(target);
    }

    /** Rows of links of the document's versions that the other status lacks, in the locale. */
    const unequalLinks = async (documentId: string, locale: string) => {
      const unequal: unknown[] = [];
      for (const [table, target, rest] of LINKS) {
        const of = (draft: boolean) =>
          `select ${table}.${target}, ${rest} from ${table} join articles on version_id = articles.id
           where articles.document_id = '${documentId}' and locale = '${locale}' and (published_at is null) = ${draft}`;
        unequal.push(
          ...(await database.rows(`(${of(true)} except ${of(false)}) union all (${of(false)} except ${of(true)})`)),
        );
      }
      return unequal;
    };
    const columns =
      "title, slug, excerpt, body::text, cover_id, featured, author_document_id, author_position, created_at, updated_at";

    const run = async ({ isNew, document, status, locale, fields, populate, ...wanted }: Step) => {
      const { author, tags: set, connected, gallery, related } = wanted;
      slug += 1;
      const data = {
        title: `Title ${slug}`,
        slug: `slug-${slug}`,
        excerpt: wanted.excerpt,
        featured: wanted.featured,
        seo: wanted.seo,
        sections: wanted.sections,
        ...(author === undefined ? {} : { author: author === null ? null : authors[author] }),
        ...(connected ? { tags: { connect: at(tags, connected) } } : set ? { tags: at(tags, set) } : {}),
        ...(gallery ? { gallery: gallery.map((each) => each + 1) } : {}),
        ...(related ? { related: at(targets, related) } : {}),
      };
      const query = new URLSearchParams({ status, locale, ...(fields && { fields }), ...(populate && { populate }) });
      const known = isNew ? undefined : articles[document];
      const answer = await send(known ? "PUT" : "POST", `/api/articles${known ? `/${known}` : ""}?${query}`, data);
      const documentId = textAt(answer, "data.documentId");
      if (isNew) articles[document] = documentId;
      expect(answer).toEqual(await send("GET", `/api/articles/${documentId}?${query}`));
      if (status === "draft") return;
      expect(await unequalLinks(documentId, locale)).toEqual([]);
      const rows = await database.rows(
        `select ${columns} from articles where document_id = $1 and locale = $2 order by published_at is null`,
        [documentId, locale],
      );
      expect(rows).toHaveLength(2);
      expect(rows[0]).toEqual(rows[1]);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const each of steps) await run(each);
      }),
      { numRuns: kind === "pglite" ? 4 : 10, endOnFailure: true },
    );
  },
);
