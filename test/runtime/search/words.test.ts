/** Full text search of types that say so, over REST, on both databases. */
import { afterAll, describe, expect, test } from "vitest";
import { can, createRowAccess } from "../../../runtime/access/row-rules.ts";
import { configSchema } from "../../../runtime/config/config.ts";
import { update } from "../../../runtime/documents/operations/index.ts";
import { createQueries, objectsOf, readMany } from "../../../runtime/query/index.ts";
import { createRegistry } from "../../../runtime/schema/registry.ts";
import { bothDatabases, recording } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";
import { application, servePages, titles } from "./pages.ts";

describe.each(bothDatabases)("on %s", async (kind) => {
  const { addFile, app, config, database, find, full, made, notes, refused, write } = await servePages(kind);

  test("words are found by their stem, their beginning and without accents, in any attribute that is searched", async () => {
    for (const words of [
      "house",
      "HOUSES",
      "run",
      "cafe",
      "café",
      "riv hou",
      "orch",
      "lantern",
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

  /** What the public sees. */
  const seen = async (query: string) => {
    const { data, meta } = titles.parse((await app.send("GET", `/api/pages?${query}`)).body);
    return [data.map(({ title }) => title), meta.pagination.total];
  };

  test("a caller does not find by an attribute that their list leaves out, although the index has it", async () => {
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

  test("a list is sorted by score, with the words that count most first", async () => {
    expect(await find("_q=river&sort=_score")).toEqual(["River", "Houses"]);
    expect(await refused("sort=_score")).toContain("Invalid key _score");
    expect(await refused("sort=_score&_q=a&pagination[after]=")).toContain("cannot be read with cursors");
    expect(await refused("sort=_score:asc&_q=a")).toContain("Invalid key _score");
  });

  const paged = async (start: number) => {
    const query = `_q=zebra&sort=_score&fields=title&pagination[limit]=100&pagination[start]=${start}`;
    return titles.parse((await app.send("GET", `/api/pages?${query}`, { token: full })).body).data;
  };

  test("of very many documents, each has a score of all its words, and each is on one page", async () => {
    const id = "'zebra' || lpad(n::text, 19, '0')";
    await database.rows(`insert into documents select ${id}, 'api::page.page' from generate_series(1, 215) n`, []);
    await database.rows(
      `insert into pages (document_id, title, text, locale, created_at, updated_at, published_at)
      select ${id}, case when n > 210 then 'Zebra' else n::text end,
        case when n in (150, 205) then 'zebra zebra' else 'a zebra' end, 'en', now(), now(), now()
      from generate_series(1, 215) n`,
      [],
    );
    const pages = [await paged(0), await paged(100), await paged(200)].flat().map(({ title }) => title);
    const others = Array.from({ length: 210 }, (_, index) => String(index + 1)).filter(
      (title) => title !== "150" && title !== "205",
    );
    expect(pages).toEqual([...Array(5).fill("Zebra"), "150", "205", ...others]);
    await database.rows("delete from documents where document_id like 'zebra%'", []);
  });

  test("a change is found at once", async () => {
    const { documentId } = made.parse((await write("/api/pages", { title: "Before" })).body).data;
    await write(`/api/pages/${documentId}`, { title: "After", text: "x ".repeat(200_000) }, "PUT");
    expect([await find("_q=before"), await find("_q=after")]).toEqual([[], ["After"]]);
    await app.send("DELETE", `/api/pages/${documentId}`, { token: full });
    expect(await find("_q=after")).toEqual([]);
  });

  test("a change by SQL is found at once, and words change with the texts alone", async () => {
    const { documentId } = made.parse((await write("/api/pages", { title: "Before" })).body).data;
    const change = (sets: string) =>
      database.rows(`update pages set ${sets} where document_id = $1 returning galley_words::text`, [documentId]);
    const before = await change("kind = 'news'");
    expect(await change("galley_words = null")).toEqual(before);
    expect(await change("galley_words = 'nonsense'")).toEqual(before);
    const { body } = await app.send("GET", "/api/pages?_q=news&populate=*", { token: full });
    expect(JSON.stringify(body)).not.toMatch(/galley/i);
    // As `pg_restore` does.
    await database.transaction(async (session) => {
      await session.script("set local search_path = ''");
      await session.rows("update public.pages set title = 'After' where document_id = $1", [documentId]);
    });
    expect([await find("_q=before"), await find("_q=after")]).toEqual([[], ["After"]]);
    await app.send("DELETE", `/api/pages/${documentId}`, { token: full });
  });

  test("the texts of files find the documents that show them in an attribute that says so", async () => {
    const dusk = await addFile("A lighthouse at dusk", "Crème of the coast");
    const wall = await addFile("Stones", "The harbour wall");
    const [shown, beside] = await Promise.all(
      [
        { title: "Shown", cover: dusk, images: [wall] },
        { title: "Beside", text: "no lighthouse", plain: wall, scan: wall },
      ].map(async (data) => made.parse((await write("/api/pages", data)).body).data.documentId),
    );
    for (const words of ["dusk", "LIGHTH dusk", "creme dusk", "harbour", "stones wall"])
      expect([words, await find(`_q=${words}`)]).toEqual([words, ["Shown"]]);
    // All words are in the document, or in one file. Names are no text of a file.
    for (const words of ["harbour dusk", "shown dusk", "png"])
      expect([words, await find(`_q=${words}`)]).toEqual([words, []]);
    expect(await find("_q=lighthouse&sort=_score")).toEqual(["Beside", "Shown"]);
    expect(await find("_q=dusk&status=draft")).toEqual(["Shown"]);
    expect(await find("_q=dusk&locale=de")).toEqual([]);
    expect(await refused("_q=dusk&snippets=true")).toContain('"snippets":["Shown"]');
    expect(await seen("_q=dusk")).toEqual([[], 0]);
    const contains = await exampleApp(afterAll, database, { ...config, search: {} }, application);
    const found = async (words: string, token: string | undefined) => {
      const { body } = await contains.send("GET", `/api/pages?_q=${words}`, token === undefined ? {} : { token });
      return titles.parse(body).data.map(({ title }) => title);
    };
    expect([await found("HTHOUSE AT", full), await found("hthouse at", undefined)]).toEqual([["Shown"], []]);
    expect([await found("harbour w", full), await found("a.png", full)]).toEqual([["Shown"], []]);
    for (const id of [shown, beside]) await app.send("DELETE", `/api/pages/${id}`, { token: full });
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

  test("who may read some notes only sets those of a page with an attribute named defaultLocale", async () => {
    const rule = can("api::note.note.find", { where: () => ({ title: { $ne: "Another" } }) });
    const rows = createRowAccess(configSchema.parse({ permissions: { writer: [rule] } }))("writer");
    const caller = { kind: "public", can: () => true, ...(rows ? { rows } : {}) } as const;
    const type = app.services.registry.contentType("api::page.page");
    const { documentId } = made.parse((await write("/api/pages", { title: "Site", notes })).body).data;
    const data = { defaultLocale: "fr", notes: notes.slice(0, 1) };
    await update({ services: app.services, caller }, type, documentId, { data, query: {} });
    const { body } = await app.send("GET", `/api/pages/${documentId}?populate=notes`, { token: full });
    expect(body).toMatchObject({ data: { defaultLocale: "fr", notes: [{ title: "Zettel" }, { title: "Another" }] } });
    await app.send("DELETE", `/api/pages/${documentId}`, { token: full });
  });

  test("words that are repeated are looked up once", async () => {
    const query = "select galley_query('en', $1)::text";
    expect(await database.rows(query, ["River river, river,RIVER"])).toEqual(await database.rows(query, ["river"]));
    expect(await database.rows(query, ["'a\\\\' & | ! () <-> :* http://a.example/it's"])).toHaveLength(1);
  });

  test("of a query with very many words, those in the text are marked", async () => {
    const marked = "select galley_marked('en', galley_query('en', $1, true), $2)";
    const text = "Unbelievable (a | b) 'c:* \\d & http://a.example/x?y=1&z believable";
    const [[whole] = []] = await database.rows(marked, ["unbelievabel (a 'c:* \\d & http://a.example/x?y=1&z", text]);
    expect(String(whole).replaceAll("\u{E000}", "[").replaceAll("\u{E001}", "]")).toBe(
      String.raw`[Unbelievable] (a | b) '[c]:* \[d] & http://[a.example][/x?y=1&z] believable`,
    );
    expect(await database.rows(marked, ["unbelievabel", "nothing"])).toEqual([["nothing"]]);
  });

  test("each word of a search counts as a condition", async () => {
    const limited = configSchema.parse({ ...config, limits: { conditions: 3 } });
    const queries = createQueries(createRegistry(application), limited, "a secret");
    const type = queries.schema.types.find((each) => each.uid === "api::page.page")?.type;
    if (!type) throw new Error("There is no page");
    const caller = { kind: "token", can: () => true } as const;
    const found = async (words: string) => {
      const { documents } = await readMany({ services: { config: limited, database, queries }, caller }, type, {
        _q: words,
      });
      return documents.rows.length;
    };
    expect(await found("a short one")).toBe(1);
    await expect(found("a short one river")).rejects.toThrow(
      "Invalid _q parameter. It has more than 3 conditions (limits.conditions)",
    );
  });

  test("many words are parsed together where words may have a typo", async () => {
    const letters = Array.from({ length: 500 }, (_, index) => String.fromCodePoint(97 + (index % 26))).join(" ");
    const calls = await database.transaction(async (session) => {
      await session.script("set local track_functions = 'all'");
      await session.rows("select galley_query('en', $1, true)", [letters]);
      return session.rows("select calls from pg_stat_xact_user_functions where funcname = 'galley_query'", []);
    });
    expect(calls).toHaveLength(2);
    expect(Math.max(...calls.flat().map(Number))).toBeLessThan(20);
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
    // Callers who may see all words that are stored are answered by these alone.
    expect(page).not.toContain("galley_words(");
    const literal = page
      .replaceAll(/\$\d+/g, "'x'")
      .replaceAll(/'x'::bigint|limit 'x'|offset 'x'/g, (text) => text.replace("'x'", "1"));
    const plan = await database.transaction(async (session) => {
      // The table is small: without the indexes of lists, this one or the whole table is read.
      await session.script("set local enable_seqscan = off; drop index pages_published_idx, pages_version_key");
      return session.rows(`explain ${literal}`, []);
    });
    const steps = plan.flat().join("\n");
    for (const name of ["pages_words_idx", "pages_cover_id_idx", "pages_pkey", "files_words_idx"])
      expect(steps).toContain(`Bitmap Index Scan on ${name}`);
    expect(steps).not.toMatch(/Filter: .*galley_words\(/);
    // Where the words are few, to follow the index of the order would mean to read the words of all documents.
    const sorted = await database.transaction(async (session) => {
      await session.script("set local enable_sort = off");
      return session.rows(`explain ${literal}`, []);
    });
    expect(sorted.flat().join("\n")).toContain("Sort Key");
  });
});
