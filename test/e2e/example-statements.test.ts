import { expect, onTestFinished, test } from "vitest";
import application from "../../generated/index.ts";
import { system } from "../../runtime/access/caller.ts";
import { migrate } from "../../runtime/database/migrations/migrator.ts";
import { createDocuments } from "../../runtime/documents/create-documents.ts";
import { readMany } from "../../runtime/query/index.ts";
import { bothDatabases, freshDatabase, recording } from "../support/database.ts";
import { testServices } from "../support/services.ts";

/** Everything that an article can show, two levels deep where there is a second level. */
const populate = {
  cover: true,
  gallery: true,
  author: { populate: "*" },
  categories: { populate: "*" },
  tags: true,
  related: { populate: ["cover", "author"] },
  seo: { populate: "*" },
  sections: { populate: "*" },
  localizations: true,
};

test.each(bothDatabases)(
  "the example's heaviest page takes as many statements for one article as for twelve on %s",
  async (kind) => {
    const { database, statements } = recording(await freshDatabase(kind, onTestFinished));
    await migrate(database, "generated/migrations");
    const config = { locales: { default: "en", codes: ["en", "de"] } };
    const services = await testServices(application, { database, config });
    const documents = createDocuments(services);
    const read = async (): Promise<number> => {
      const before = statements.length;
      const context = { services, caller: system, code: true };
      await readMany(context, services.registry.contentType("api::article.article"), { populate });
      return statements.length - before;
    };
    const author = await documents("api::author.author").create({ data: { name: "An author", slug: "an-author" } });
    const articles = documents("api::article.article");
    const write = (title: string, related: string[]) =>
      articles.create({
        data: {
          title,
          slug: title,
          author: author.documentId,
          related,
          sections: [{ __component: "blocks.quote", text: title }],
        },
      });
    const first = await write("one", []);
    const second = await write("two", [first.documentId]);
    const few = await read();
    for (let count = 3; count <= 12; count++) await write(String(count), [first.documentId, second.documentId]);
    expect(await read()).toBe(few);
    expect(few).toBeLessThanOrEqual(25);
  },
);
