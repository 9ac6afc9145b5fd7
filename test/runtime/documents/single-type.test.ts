import { expect, onTestFinished, test } from "vitest";
import application from "../../../generated/index.ts";
import { system } from "../../../runtime/access/caller.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { createDocuments } from "../../../runtime/documents/create-documents.ts";
import { updateSingle } from "../../../runtime/documents/operations/index.ts";
import { objectOf } from "../../../runtime/query/index.ts";
import { bothDatabases, type DatabaseKind, freshDatabase } from "../../support/database.ts";
import { testServices } from "../../support/services.ts";

const open = async (kind: DatabaseKind) => {
  const database = await freshDatabase(kind, onTestFinished);
  await migrate(database, "generated/migrations");
  const services = await testServices(application, {
    database,
    config: { locales: { default: "en", codes: ["en", "de"] } },
  });
  const context = { services, caller: system, code: true };
  const homepage = services.registry.contentType("api::homepage.homepage");
  return {
    database,
    documents: createDocuments(services),
    write: (title: string, locale: string) => updateSingle(context, homepage, { data: { title }, query: { locale } }),
  };
};

test.each(bothDatabases)("many first writes of a single type at once make one document on %s", async (kind) => {
  const { database, documents, write } = await open(kind);
  const writers = Array.from({ length: 40 }, (_, index) => write(`title ${index}`, index % 2 === 0 ? "en" : "de"));
  const answers = await Promise.all(writers);
  const ids = new Set(answers.map((done) => done?.documentId));
  expect(ids.size).toBe(1);
  const [row] = await database.rows(
    "select (select count(*)::int from documents where type = 'api::homepage.homepage'), (select count(*)::int from homepages)",
  );
  expect(row).toEqual([1, 4]);
  const home = await documents("api::homepage.homepage").findOne(undefined, { populate: ["localizations"] });
  expect(home).toMatchObject({ locale: "en", localizations: [{ locale: "de" }] });
});

test("a single type can be created again once it was deleted, and not twice by code", async () => {
  const { documents } = await open("pglite");
  const homepage = documents("api::homepage.homepage");
  const first = await homepage.create({ data: { title: "first" } });
  await expect(homepage.create({ data: { title: "second" } })).rejects.toMatchObject({
    status: 400,
    message: "api::homepage.homepage is a single type, and it has been created already",
  });
  expect(await homepage.delete(first.documentId)).toBe(true);
  expect(await homepage.create({ data: { title: "third" } })).toMatchObject({ title: "third" });
});

test("a write of a single type that somebody deletes meanwhile creates it", async () => {
  const { database, write } = await open("postgres");
  const first = await write("first", "en");
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const answer = await database.transaction(async (session) => {
    await session.rows("delete from documents where document_id = $1", [first?.documentId ?? null]);
    const second = write("second", "en");
    await expect.poll(() => database.rows(waiting)).not.toEqual([]);
    return { second };
  });
  const second = await answer.second;
  expect(second?.shown && objectOf(second.shown)).toMatchObject({ title: "second" });
});
