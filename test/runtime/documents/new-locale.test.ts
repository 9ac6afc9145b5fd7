/** What a new locale of a document begins with. */
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const { send, token, upload } = await exampleApp(afterAll, await exampleDatabase(), {
  locales: { default: "en", codes: ["en", "de", "fr"] },
});
const full = await token();

const picture = { name: "a.svg", type: "image/svg+xml", content: '<svg xmlns="http://www.w3.org/2000/svg"/>' };

const created = z.object({ data: z.object({ documentId: z.string() }) });

const create = async (path: string, data: object): Promise<string> => {
  const { body } = await send("POST", path, { token: full, body: { data } });
  return created.parse(body).data.documentId;
};

const SHOWN =
  "populate[author][fields]=name&populate[tags][fields]=name&populate[cover][fields]=name&populate[seo]=true";

test("a new locale begins with what is not localized, and without relations, uid and what is localized", async () => {
  const author = await create("/api/authors", { name: "Ann", slug: "ann" });
  const tag = await create("/api/tags", { name: "Tea", slug: "tea" });
  const uploaded = await upload([picture], full);
  const [file] = z.array(z.object({ id: z.number() })).parse(uploaded.body);
  const english = {
    title: "English",
    excerpt: "Short",
    slug: "english",
    featured: true,
    cover: file?.id,
    author,
    tags: [tag],
  };
  const article = await create("/api/articles?status=draft", { ...english, seo: { metaTitle: "Meta" } });
  const put = (locale: string, data: object) =>
    send("PUT", `/api/articles/${article}?status=draft&locale=${locale}&${SHOWN}`, { token: full, body: { data } });
  expect((await put("de", { title: "Deutsch", featured: null })).body).toMatchObject({
    data: {
      title: "Deutsch",
      featured: true,
      cover: { id: file?.id },
      slug: null,
      excerpt: null,
      author: null,
      tags: [],
      seo: null,
    },
  });
  expect((await put("fr", { title: "Français", featured: false })).body).toMatchObject({ data: { featured: false } });
  expect((await put("en", {})).body).toMatchObject({
    data: { featured: false, slug: "english", author: { name: "Ann" } },
  });
});
