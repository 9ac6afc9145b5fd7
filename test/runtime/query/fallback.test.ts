/** Documents that lack a locale are shown in another one, where the query or the configuration says so. */
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { freshDatabase } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";

const written = z.object({ data: z.object({ documentId: z.string() }) });
const list = z.object({
  data: z.array(z.looseObject({ title: z.string().optional(), locale: z.string() })),
  meta: z.object({ pagination: z.looseObject({ total: z.number().optional() }) }),
});

describe.each(["postgres", "pglite"] as const)("on %s", async (kind) => {
  const database = await freshDatabase(kind, afterAll);
  await migrate(database, "generated/migrations");
  const locales = { default: "en", codes: ["en", "de", "fr"], fallback: { fr: ["de", "en"] } };
  const { send, token, graphql } = await exampleApp(afterAll, database, { locales });
  const full = await token();
  const put = (path: string, data: object) => send("PUT", path, { token: full, body: { data } });
  const create = async (path: string, data: object) =>
    written.parse((await send("POST", path, { token: full, body: { data } })).body).data.documentId;
  const get = (query: string) => send("GET", `/api/articles${query}`, { token: full });
  const found = async (query: string) => {
    const { data, meta } = list.parse((await get(`?sort=title&fields=title,locale&${query}`)).body);
    return [data.map(({ title, locale }) => `${title} ${locale}`), meta.pagination.total];
  };

  const category = await create("/api/categories", { name: "Drinks", slug: "drinks" });
  const german = await create("/api/categories", { name: "Food", slug: "food" });
  await put(`/api/categories/${german}?locale=de`, { name: "Essen", slug: "essen" });
  const both = await create("/api/articles", { title: "A tea", slug: "a", categories: [category, german] });
  await put(`/api/articles/${both}?locale=de`, { title: "A Tee", slug: "a", categories: [german] });
  await put(`/api/articles/${both}?locale=de&status=draft`, { title: "A Tee, neu" });
  const english = await create("/api/articles", { title: "B oat", slug: "b", categories: [category, german] });
  const draft = await create("/api/articles", { title: "C rye", slug: "c" });
  await put(`/api/articles/${draft}?locale=de&status=draft`, { title: "C Roggen", slug: "c" });

  test("a list has one row for each document, in the first locale that it has", async () => {
    expect(await found("locale=de")).toEqual([["A Tee de"], 1]);
    expect(await found("locale=de&fallback=en")).toEqual([["A Tee de", "B oat en", "C rye en"], 3]);
    expect(await found("locale=de&fallback=fr,en&status=draft")).toEqual([
      ["A Tee, neu de", "B oat en", "C Roggen de"],
      3,
    ]);
    expect(await found("locale=de&fallback=en&filters[title][$contains]=tea")).toEqual([[], 0]);
    expect(await found("locale=de&fallback=en&_q=oat")).toEqual([["B oat en"], 1]);
    expect(await found("locale=de&fallback=en&pagination[start]=1&pagination[limit]=1")).toEqual([["B oat en"], 3]);
    expect(await found("locale=de&fallback=en&pagination[after]=&pagination[withCount]=false")).toEqual([
      ["A Tee de", "B oat en", "C rye en"],
      undefined,
    ]);
  });

  test("the configuration says it for clients, and a query says otherwise", async () => {
    expect(await found("locale=fr")).toEqual([["A Tee de", "B oat en", "C rye en"], 3]);
    expect(await found("locale=fr&fallback=")).toEqual([[], 0]);
    expect((await get(`/${both}?locale=fr`)).body).toMatchObject({ data: { title: "A Tee", locale: "de" } });
    expect((await get(`/${both}?locale=fr&fallback=`)).status).toBe(404);
    const query = `{ articles(locale: "fr", sort: "title") { data { attributes { title locale } } } }`;
    expect((await graphql(query, {}, { token: full })).body).toMatchObject({
      data: { articles: { data: [{ attributes: { locale: "de" } }, {}, { attributes: { locale: "en" } }] } },
    });
    const added = await put(`/api/articles/${english}?locale=fr&status=draft`, { title: "B avoine", slug: "b" });
    expect(added.body).toMatchObject({ data: { title: "B avoine", locale: "fr" } });
    await send("DELETE", `/api/articles/${english}?locale=fr`, { token: full });
    expect(await found("locale=fr&filters[documentId]=" + english)).toEqual([["B oat en"], 1]);
  });

  test("relations fall back alike, whatever the locale of the document that has them", async () => {
    const names = "populate[categories][fields]=name,locale&populate[categories][sort]=name:desc";
    const shown = { categories: [{ name: "Essen", locale: "de" }] };
    expect((await get(`/${both}?locale=de&fallback=en&${names}`)).body).toMatchObject({ data: shown });
    expect((await get(`/${english}?locale=de&fallback=en&${names}`)).body).toMatchObject({
      data: {
        locale: "en",
        categories: [
          { name: "Essen", locale: "de" },
          { name: "Drinks", locale: "en" },
        ],
      },
    });
    expect(await found("locale=de&fallback=en&filters[categories][name]=Essen")).toEqual([["A Tee de", "B oat en"], 2]);
    expect(await found("locale=de&fallback=en&filters[categories][name]=Food")).toEqual([[], 0]);
    const inverse = await send(
      "GET",
      `/api/categories/${german}?locale=de&fallback=en&populate[articles][sort]=title&populate[articles][fields]=title`,
      { token: full },
    );
    expect(inverse.body).toMatchObject({ data: { name: "Essen", articles: [{ title: "A Tee" }, { title: "B oat" }] } });
  });

  const states = async (path: string, as: string) => (await send("GET", `/api/articles${path}`, { token: as })).body;

  test("meta says in which locales a document is translated, as far as the caller may see", async () => {
    const anonymous = await token("api::article.article.find", "api::article.article.findOne");
    const published = { en: "published", de: "published", fr: "missing" };
    expect(await states(`/${both}?localization=true`, full)).toMatchObject({
      meta: { localization: { locales: published } },
    });
    await put(`/api/articles/${both}`, { title: "A green tea" });
    await put(`/api/articles/${both}`, {});
    expect(await states(`?sort=title&localization=true&locale=fr`, full)).toMatchObject({
      meta: {
        pagination: { total: 3 },
        localization: {
          [both]: { locales: { en: "published", de: "outdated", fr: "missing" } },
          [english]: { locales: { en: "published", de: "missing", fr: "missing" } },
          [draft]: { locales: { en: "published", de: "draft", fr: "missing" } },
        },
      },
    });
    expect(await states(`/${draft}?localization=1`, anonymous)).toMatchObject({
      meta: { localization: { locales: { en: "published", de: "missing", fr: "missing" } } },
    });
    expect(await states(`/${draft}?localization=false`, full)).toMatchObject({ meta: {} });
    expect((await get("?localization=yes")).text).toContain("Invalid parameter at 'localization'");
    expect(await found("locale=en&filters[$not][localizations][locale]=de")).toEqual([["B oat en", "C rye en"], 2]);
  });

  test("what is no locale is refused", async () => {
    for (const query of ["fallback=xx", "fallback[a]=en", "locale=*&fallback=en", "fallback=en&filters[locale]=de"]) {
      const { status, text } = await get(`?${query}`);
      expect([query, status]).toEqual([query, 400]);
      expect(text).toContain("Invalid parameter at 'fallback'");
    }
  });
});
