/** Full text search of types that say so, over REST, on both databases. */
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { can, createRowAccess } from "../../../runtime/access/row-rules.ts";
import { configSchema } from "../../../runtime/config/config.ts";
import { createQueries, objectsOf, readMany } from "../../../runtime/query/index.ts";
import { createRegistry } from "../../../runtime/schema/registry.ts";
import { createTables } from "../../support/create-tables.ts";
import { bothDatabases, freshDatabase, recording } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";
import { application, tablesOf } from "./pages.ts";

const titles = z.object({
  data: z.array(z.looseObject({ title: z.string() })),
  meta: z.object({ pagination: z.looseObject({ total: z.number() }) }),
});

describe.each(bothDatabases)("on %s", async (kind) => {
  const database = await freshDatabase(kind, afterAll);
  await createTables(database, tablesOf());
  const locales = { default: "en", codes: ["en", "de"] };
  const narrow = { "api::page.page": ["title", "body"] };
  const config = { locales, search: { engine: "postgres" as const }, fields: { public: narrow } };
  const app = await exampleApp(afterAll, database, config, application);
  const full = await app.token();
  const write = (path: string, data: object, method = "POST") =>
    app.send(method, path, { token: full, body: { data } });
  const find = async (query: string, path = "pages") => {
    const { data, meta } = titles.parse((await app.send("GET", `/api/${path}?${query}`, { token: full })).body);
    expect(meta.pagination.total).toBe(data.length);
    return data.map(({ title }) => title);
  };

  const made = z.object({ data: z.object({ documentId: z.string() }) });
  const notes = await Promise.all(
    ["Zettel", "Another"].map(
      async (title) =>
        made.parse((await write("/api/notes", { title, text: "Mit vielen Häusern" })).body).data.documentId,
    ),
  );
  await write("/api/pages", {
    title: "Houses",
    text: "We were running along the café by the river",
    secret: "treasure",
    quiet: "whisper",
    body: [
      {
        type: "paragraph",
        children: [
          { type: "text", text: "A bold claim, un" },
          { type: "text", text: "believ", bold: true },
          { type: "text", text: "able " },
          { type: "link", url: "https://linked.example", children: [{ type: "text", text: "elsewhere" }] },
        ],
      },
    ],
    sections: [{ __component: "shared.part", shown: "orchard and **in**side", hushed: "dungeon" }],
    kind: "guide",
    grade: "high",
    notes: { connect: notes },
  });
  await write("/api/pages", { title: "River", text: "A short one", kind: "news", notes: { connect: notes.slice(1) } });
  await write("/api/pages?status=draft", { title: "Draft of a river" });
  await write("/api/pages?locale=de", { title: "Häuser", text: "Die Häuser am Fluß" });

  test("words are found by their stem, their beginning and without accents, in any attribute that is searched", async () => {
    for (const words of [
      "house",
      "HOUSES",
      "run",
      "cafe",
      "café",
      "riv hou",
      "orch",
      "claim",
      "unbelievable",
      "inside",
      "elsewhere",
      "the river hou",
    ])
      expect([words, await find(`_q=${words}`)]).toEqual([words, ["Houses"]]);
    expect(await find("_q=haus&locale=de")).toEqual(["Häuser"]);
    expect(await find("_q=hauser fluss&locale=de")).toEqual(["Häuser"]);
    expect(await find("_q=häusern&locale=*")).toEqual(["Häuser"]);
    expect(await find("_q=haus zettel", "notes")).toEqual(["Zettel"]);
  });

  test("what nobody may see, or is not searched, does not find a document", async () => {
    for (const words of [
      "treasure",
      "whisper",
      "dungeon",
      "paragraph",
      "linked",
      "shared.part",
      "river nowhere",
      "'",
      "&|!",
      "-river",
      "%",
    ])
      expect([words, await find(`_q=${encodeURIComponent(words)}`)]).toEqual([
        words,
        words === "-river" ? ["Houses", "River"] : [],
      ]);
  });

  test("a caller does not find by an attribute that their list leaves out, although the index has it", async () => {
    await app.allowPublic("api::page.page.find");
    const seen = async (query: string) => {
      const { data, meta } = titles.parse((await app.send("GET", `/api/pages?${query}`)).body);
      return [data.map(({ title }) => title), meta.pagination.total];
    };
    expect(await seen("_q=running")).toEqual([[], 0]);
    expect(await seen("_q=orchard")).toEqual([[], 0]);
    expect(await seen("_q=claim")).toEqual([["Houses"], 1]);
    expect(await seen("_q=house river")).toEqual([[], 0]);
    expect(await seen("_q=river&sort=_score")).toEqual([["River"], 1]);
    expect(await find("_q=house river")).toEqual(["Houses"]);
  });

  test("drafts, filters and pages hold", async () => {
    expect(await find("_q=river&status=draft")).toEqual(["Houses", "River", "Draft of a river"]);
    expect(await find("_q=river&filters[title]=River")).toEqual(["River"]);
    expect((await app.send("GET", "/api/pages?_q=river&pagination[pageSize]=1", { token: full })).body).toMatchObject({
      data: [{ title: "Houses" }],
      meta: { pagination: { total: 2 } },
    });
    expect(await find("_q=river&pagination[start]=0")).toEqual(["Houses", "River"]);
  });

  const refused = async (query: string) => (await app.send("GET", `/api/pages?${query}`, { token: full })).text;

  test("a list is sorted by score, with the words that count most first", async () => {
    expect(await find("_q=river&sort=_score")).toEqual(["River", "Houses"]);
    expect(await refused("sort=_score")).toContain("Invalid key _score");
    expect(await refused("sort=_score&_q=a&pagination[after]=")).toContain("cannot be read with cursors");
    expect(await refused("sort=_score:asc&_q=a")).toContain("Invalid key _score");
  });

  test("a change is found at once", async () => {
    const { documentId } = made.parse((await write("/api/pages", { title: "Before" })).body).data;
    await write(`/api/pages/${documentId}`, { title: "After", text: "x ".repeat(200_000) }, "PUT");
    expect([await find("_q=before"), await find("_q=after")]).toEqual([[], ["After"]]);
    await app.send("DELETE", `/api/pages/${documentId}`, { token: full });
    expect(await find("_q=after")).toEqual([]);
  });

  test("a caller whose rules leave some documents finds these alone, by the words of these alone", async () => {
    const rule = can("api::page.page.find", { where: () => ({ title: { $ne: "River" } }), locales: ["en"] });
    const ruled = configSchema.parse({ ...config, fields: {}, permissions: { reader: [rule] } });
    const queries = createQueries(createRegistry(application), ruled, "a secret");
    const rows = createRowAccess(ruled)("reader");
    const caller = { kind: "public", can: () => true, ...(rows ? { rows } : {}) } as const;
    const type = queries.schema.types.find((each) => each.uid === "api::page.page")?.type;
    if (!type) throw new Error("There is no page");
    const seen = async (query: object) => {
      const reading = { services: { config: ruled, database, queries }, caller };
      const { documents, pagination } = await readMany(reading, type, { ...query, locale: "*" });
      return [objectsOf(documents).map((page) => Reflect.get(page, "title")), pagination.total];
    };
    expect(await seen({ _q: "river" })).toEqual([["Houses"], 1]);
    expect(await seen({ _q: "river", sort: "_score" })).toEqual([["Houses"], 1]);
    expect(await seen({ _q: "häusern" })).toEqual([[], 0]);
    expect(await seen({ _q: "short" })).toEqual([[], 0]);
  });

  const found = z.object({
    meta: z.object({
      search: z.object({
        snippets: z.array(z.string()).optional(),
        facets: z.record(z.string(), z.array(z.object({ value: z.string(), count: z.number() }))).optional(),
      }),
    }),
  });
  const told = async (query: string, token?: string) =>
    found.parse((await app.send("GET", `/api/pages?${query}`, token === undefined ? {} : { token })).body).meta.search;

  test("snippets show the words found, and no markup of the text", async () => {
    await write("/api/pages", {
      title: "Über <b onclick=alert(1)>Cafés</b>",
      text: `${"before ".repeat(100)}the café "&\u{E000}amp; ${"after ".repeat(100)}`,
      secret: "café noir",
      quiet: "café creme",
    });
    const { snippets: [first = ""] = [] } = await told("_q=cafe&filters[title][$contains]=ber&snippets=true", full);
    expect(first).toContain("Über &lt;b onclick=alert(1)&gt;<mark>Cafés</mark>&lt;/b&gt;");
    expect(first.endsWith("…")).toBe(true);
    const { snippets = [] } = await told("_q=river hou&sort=_score&snippets=true", full);
    expect(snippets).toEqual([
      expect.stringContaining("<mark>Houses</mark> We were running along the café by the <mark>river</mark>"),
    ]);
    expect(snippets.join("")).not.toMatch(/treasure|whisper|dungeon/);
    // Nobody learns by a snippet what the field list leaves out.
    expect((await told("_q=claim&snippets=true")).snippets?.join("")).toMatch(
      /^Houses A bold <mark>claim<\/mark>, unbelievable elsewhere$/,
    );
    expect(await find("_q=café&filters[title][$contains]=ber")).toHaveLength(1);
  });

  test("what a hook changes after it is read has no snippet", async () => {
    const extensions = { "api::page.page": { hooks: { afterRead: () => ({ title: "Hidden" }) } } };
    const hooked = await exampleApp(afterAll, database, config, { ...application, extensions });
    const { body } = await hooked.send("GET", "/api/pages?_q=houses&snippets=true&facets=kind", { token: full });
    expect(body).toMatchObject({
      data: [{ title: "Hidden" }],
      meta: { search: { facets: { kind: [{ value: "guide" }] } } },
    });
    expect(JSON.stringify(body)).not.toContain("mark");
  });

  test("facets count the documents found by enumeration and relation", async () => {
    const both = { value: notes[1], count: 2 };
    expect(await told("_q=river&facets=kind,notes&pagination[pageSize]=1", full)).toEqual({
      facets: {
        kind: [
          { value: "guide", count: 1 },
          { value: "news", count: 1 },
        ],
        notes: [both, { value: notes[0], count: 1 }],
      },
    });
    expect((await told("_q=houses&facets[]=kind&locale=*", full)).facets).toEqual({
      kind: [{ value: "guide", count: 1 }],
    });
  });

  test("facets are refused for what a caller may not see, and for what has no few values", async () => {
    for (const facets of [
      "grade",
      "title",
      "secret",
      "sections",
      "nothing",
      "constructor",
      "localizations",
      "id",
      "notes,grade",
    ])
      expect([facets, await refused(`_q=river&facets=${facets}`)]).toEqual([
        facets,
        expect.stringContaining("Invalid key"),
      ]);
    expect(await refused(`_q=river&facets[a]=kind`)).toContain("Invalid facets parameter");
    expect(
      await refused(`_q=river&facets=${Array.from({ length: 11 }, (_, index) => `a${index}`).join(",")}`),
    ).toContain("10 names");
    // The public's field list leaves `kind` out, and it may not find notes.
    for (const facets of ["kind", "notes"])
      expect((await app.send("GET", `/api/pages?_q=river&facets=${facets}`)).text).toContain(`Invalid key ${facets}`);
    expect((await app.send("GET", "/api/pages/x?facets=kind", { token: full })).text).toContain("Invalid key facets");
  });

  test("hostile texts to search for are answered", async () => {
    const hostile = [
      "x".repeat(10_000),
      Array.from({ length: 500 }, (_, index) => `word${index}`).join(" "),
      Array.from({ length: 500 }, () => "ri").join(" "),
      `'"\\:*&|!<->()[]{}%$_`,
      "a & b | !c <2> d:*ABCD",
      "'; drop table pages; --",
      "<mark>\u{E000}\u{202E}\u{FEFF}",
      "a*b*c**d*",
    ];
    for (const text of hostile) {
      const query = `_q=${encodeURIComponent(text)}&sort=_score&snippets=true&facets=kind&locale=*`;
      const { status, body } = await app.send("GET", `/api/pages?${query}`, { token: full });
      expect([text.slice(0, 30), status, body]).toMatchObject([text.slice(0, 30), 200, { meta: { search: {} } }]);
    }
    expect(await refused("_q=a%00b")).toContain("Invalid");
  });

  test("words that are repeated are looked up once", async () => {
    const query = "select galley_query('en', $1)::text";
    expect(await database.rows(query, ["River river, river,RIVER"])).toEqual(await database.rows(query, ["river"]));
    expect(await database.rows(query, ["'a\\\\' & | ! () <-> :* http://a.example/it's"])).toHaveLength(1);
  });

  test("the index finds the documents", async () => {
    const { type } =
      Object.values(application.contentTypes).find(({ type: { uid } }) => uid === "api::page.page") ?? {};
    if (!type) throw new Error("There is no page");
    const { database: recorded, statements } = recording(database);
    const parsed = configSchema.parse(config);
    const queries = createQueries(createRegistry(application), parsed, "a secret");
    const caller = { kind: "token", can: () => true } as const;
    await readMany({ services: { config: parsed, database: recorded, queries }, caller }, type, { _q: "river" });
    const page = statements.find((text) => text.includes("galley_query")) ?? "";
    // Callers who may see all that the index has are answered by it alone.
    expect(page.match(/galley_words/g)).toHaveLength(1);
    const literal = page
      .replaceAll(/\$\d+/g, "'x'")
      .replaceAll(/'x'::bigint|limit 'x'|offset 'x'/g, (text) => text.replace("'x'", "1"));
    const plan = await database.transaction(async (session) => {
      // The table is small: without the indexes of lists, this one or the whole table is read.
      await session.script("set local enable_seqscan = off; drop index pages_published_idx, pages_version_key");
      return session.rows(`explain ${literal}`, []);
    });
    expect(plan.flat().join("\n")).toContain("Bitmap Index Scan on pages_words_idx");
  });
});
