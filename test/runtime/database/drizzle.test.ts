/** `db`, the Drizzle database that code of a project gets. */
import { count, eq, sql } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import application from "../../../generated/index.ts";
import * as relations from "../../../generated/relations.ts";
import * as tables from "../../../generated/tables.ts";
import { createHonoApp } from "../../../runtime/app/server.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { everyone } from "../../../runtime/http/rest/index.ts";
import { withSchema } from "../../../runtime/index.ts";
import { bothDatabases, freshDatabase } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";

const { articles, articlesTags, authors, documents, tags } = tables;

const tag = (name: string) => ({ data: { name, slug: name } });

describe.each(bothDatabases)("on %s", async (kind) => {
  const database = await freshDatabase(kind, afterAll);
  await migrate(database, "generated/migrations");
  const { app: served, services, token } = await exampleApp(afterAll, database);
  const all = await token();
  const { db } = services;
  const request = async (path: string) =>
    (await served.request(path, { headers: { authorization: `Bearer ${all}` } })).json();

  test("typed selects, inserts, counts and objects of SQL are those of Drizzle", async () => {
    const ada = await services.documents("api::author.author").create({ data: { name: "Ada", slug: "ada" } });
    const [found] = await db.select().from(authors).where(eq(authors.documentId, ada.documentId));
    expect(found).toMatchObject({ name: "Ada", createdAt: expect.any(String) });
    expect(await db.$count(authors, eq(authors.name, "Ada"))).toBe(1);
    const [row] = await db.execute(
      sql`select ${"x"}::text as text, ${new Date(0)}::timestamptz as at, ${12n}::int8 as big`,
    );
    expect(row).toEqual({ text: "x", at: "1970-01-01 00:00:00+00", big: "12" });
    const changed = await db.execute(sql`update authors set name = 'Ada L.' where document_id = ${ada.documentId}`);
    expect(changed.count).toBe(1);
    const updated = await db
      .update(authors)
      .set({ name: "Ada" })
      .where(eq(authors.documentId, ada.documentId))
      .returning();
    expect(updated).toMatchObject([{ name: "Ada" }]);
  });

  test("relational queries follow documents, links and files", async () => {
    const ada = await services.documents("api::author.author").create({ data: { name: "R", slug: "r" } });
    const red = await services.documents("api::tag.tag").create(tag("red"));
    const data = { title: "T", slug: "t", author: ada.documentId, tags: [red.documentId] };
    const { documentId } = await services.documents("api::article.article").create({ data });
    const related = withSchema(db, { ...tables, ...relations });
    const found = await related.query.articles.findFirst({
      where: eq(articles.documentId, documentId),
      with: { authorDocument: { with: { authors: true } }, tags: { with: { document: { with: { tags: true } } } } },
    });
    expect(found).toMatchObject({
      title: "T",
      authorDocument: { authors: [{ name: "R" }] },
      tags: [{ document: { tags: [{ name: "red" }] } }],
    });
    // Of the draft and of the published version.
    expect(await db.select({ links: count() }).from(articlesTags)).toEqual([{ links: 2 }]);
  });

  test("it is part of the transaction that it is given in, and so are transactions of its own", async () => {
    const failed = services.transaction(async (tools) => {
      const { documentId } = await tools.documents("api::tag.tag").create(tag("gone"));
      await tools.db.update(tags).set({ name: "changed" }).where(eq(tags.documentId, documentId));
      expect(await tools.services.db.select({ name: tags.name }).from(tags).where(eq(tags.slug, "gone"))).toEqual([
        { name: "changed" },
      ]);
      throw new Error("undone");
    });
    await expect(failed).rejects.toThrow("undone");
    expect(await db.$count(tags, eq(tags.slug, "gone"))).toBe(0);
    await services.transaction(async (tools) => {
      const { documentId } = await tools.documents("api::tag.tag").create(tag("kept"));
      const inner = tools.db.transaction(async (tx) => {
        await tx.delete(documents).where(eq(documents.documentId, documentId));
        tx.rollback();
      });
      await expect(inner).rejects.toThrow("Rollback");
      await tools.db.transaction((tx) => tx.update(tags).set({ name: "inside" }).where(eq(tags.slug, "kept")));
    });
    expect(await db.select({ name: tags.name }).from(tags).where(eq(tags.slug, "kept"))).toEqual([{ name: "inside" }]);
  });

  test("a statement that goes past a transaction of its own is refused, where it would wait for itself", async () => {
    const past = db.transaction(async () => db.select().from(tags));
    await expect(past).rejects.toMatchObject({
      cause: { message: expect.stringContaining("goes past the transaction") },
    });
    await db.delete(tags).where(eq(tags.slug, "never"));
  });

  test("what it writes shows in answers at once, although no hook has run", async () => {
    await services.documents("api::tag.tag").create(tag("shown"));
    const path = "/api/tags?filters[slug]=shown&fields=name";
    expect(await request(path)).toMatchObject({ data: [{ name: "shown" }] });
    expect(await request(path)).toMatchObject({ data: [{ name: "shown" }] });
    await db.update(tags).set({ name: "Shown" }).where(eq(tags.slug, "shown"));
    expect(await request(path)).toMatchObject({ data: [{ name: "Shown" }] });
  });

  test("an error of the database is answered as everywhere, whoever wraps it", async () => {
    const extension = {
      routes: (router: Parameters<NonNullable<(typeof application.extensions)["api::tag.tag"]["routes"]>>[0]) =>
        void router.get("/number", everyone(), async (c) => {
          await c.get("services").db.execute(sql`select ${"x"}::text::int`);
          return c.json({});
        }),
    };
    const app = createHonoApp(services, { ...application, extensions: { "api::tag.tag": extension } });
    expect((await app.request("/api/number")).status).toBe(400);
  });
});
