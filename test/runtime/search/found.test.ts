/** What a full-text search tells of what it has found: snippets and facets, over REST and GraphQL, on both databases. */
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import type { App } from "../../../runtime/graphql/extension/app.ts";
import { snippetOf } from "../../../runtime/search/snippets.ts";
import { bothDatabases } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";
import { application, servePages } from "./pages.ts";

test("a snippet is the part with the most words found", () => {
  const [word, gap] = ["\u{E000}river\u{E001}", " between".repeat(40)];
  const marked = `${word}${gap} ${word} and ${word}${gap} ${word}`;
  const html = snippetOf(marked.replaceAll(/[\u{E000}\u{E001}]/gu, ""), marked);
  expect(html).toMatch(/^…between .* <mark>river<\/mark> and <mark>river<\/mark> .* between…$/);
});

describe.each(bothDatabases)("on %s", async (kind) => {
  const { app, config, database, find, full, made, notes, refused, write } = await servePages(kind);

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

  test("GraphQL shows documents behind relations to a type that is searched", async () => {
    const query = `{ pages(_q: "short") { data { attributes { title notes { data { attributes { title } } } } } } }`;
    expect((await app.graphql(query, {}, { token: full })).body).toEqual({
      data: {
        pages: {
          data: [{ attributes: { title: "River", notes: { data: [{ attributes: { title: "Another" } }] } } }],
        },
      },
    });
  });

  test("GraphQL tells nothing of fields that extensions leave out, or whose values they change", async () => {
    const app: App = {
      register({ graphql }) {
        // The uids that are known are those of the example.
        const named: { shadowCRUD(uid: string): { field(name: string): { disableOutput(): unknown } } } = graphql;
        named.shadowCRUD("api::page.page").field("kind").disableOutput();
        graphql.use({ resolversConfig: { "Page.text": { middlewares: [() => "masked"] } } });
      },
    };
    const masked = await exampleApp(afterAll, database, config, { ...application, app });
    const asked = async (args: string) => {
      const query = `{ pages(${args}) { data { attributes { title } } search { snippets facets { name } } } }`;
      return (await masked.graphql(query, {}, { token: full })).body;
    };
    const forbidden = { errors: [{ message: "Forbidden access" }] };
    expect(await asked(`_q: "short"`)).toMatchObject({
      data: { pages: { data: [{ attributes: { title: "River" } }] } },
    });
    expect(await asked(`_q: "short", snippets: true`)).toMatchObject(forbidden);
    expect(await asked(`facets: ["kind"]`)).toMatchObject(forbidden);
    expect(await asked(`facets: ["notes"]`)).toMatchObject({
      data: { pages: { search: { facets: [{ name: "notes" }] } } },
    });
  });

  const sent = () => {
    const rows = vi.spyOn(database.reader ?? database, "rows");
    onTestFinished(() => rows.mockRestore());
    return rows;
  };

  test("a document that leaves the list while it is read has no snippet", async () => {
    const page = { title: "Open", text: "an orchid", kind: "guide" };
    const { documentId } = made.parse((await write("/api/pages", page)).body).data;
    const reader = database.reader ?? database;
    const read = reader.rows.bind(reader);
    sent().mockImplementation(async (text, ...more) => {
      if (text.includes("galley_marked"))
        await write(`/api/pages/${documentId}`, { text: "a secret orchid", kind: "news" }, "PUT");
      return read(text, ...more);
    });
    const { body } = await app.send("GET", "/api/pages?_q=orchid&snippets=true&filters[kind]=guide", {
      token: full,
    });
    expect(body).toMatchObject({ data: [{ title: "Open" }], meta: { search: { snippets: [""] } } });
    await app.send("DELETE", `/api/pages/${documentId}`, { token: full });
  });

  test("what the facets of a list filtered through relations cost is estimated", async () => {
    const rows = sent();
    const filters = "filters[$and][0][notes][title]=Zettel&filters[$and][1][notes][title]=Another";
    await told(`facets=kind&${filters}&pagination[withCount]=false`, full);
    const estimates = rows.mock.calls.filter(([text]) => text.startsWith("explain") && text.includes("group by"));
    expect(estimates).toHaveLength(1);
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

  describe("where words may have a typo", async () => {
    const search = { engine: "postgres" as const, typos: true };
    const tolerant = await exampleApp(afterAll, database, { ...config, search }, application);
    const list = z.object({
      data: z.array(z.looseObject({ title: z.string() })),
      meta: z.object({ pagination: z.looseObject({ total: z.number(), after: z.string().nullish() }) }),
    });
    const read = async (query: string, token = full) =>
      list.parse((await tolerant.send("GET", `/api/pages?${query}`, token ? { token } : {})).body);
    const listed = async (query: string, token = full) => {
      const { data, meta } = await read(query, token);
      expect(meta.pagination.total).toBe(data.length);
      return data.map(({ title }) => title);
    };

    test("one letter may be missing, wrong, too many or swapped with the next, if nothing is found otherwise", async () => {
      for (const words of ["rivr", "rivver", "rifer", "rvier", "Rivre", "short rivr"]) {
        const expected = words === "short rivr" ? ["River"] : ["Houses", "River"];
        expect([words, await listed(`_q=${words}`)]).toEqual([words, expected]);
        expect(await find(`_q=${words}`)).toEqual([]);
      }
      expect(await listed("_q=orchrad")).toEqual(["Houses"]);
      expect(await listed("_q=Huser&locale=de")).toEqual(["Häuser"]);
      expect(await listed("_q=rivet")).toEqual(["Houses", "River"]);
      const { documentId } = made.parse((await write("/api/pages", { title: "Rivet" })).body).data;
      expect(await listed("_q=rivet")).toEqual(["Rivet"]);
      await app.send("DELETE", `/api/pages/${documentId}`, { token: full });
      for (const words of ["rvr", "rrivver", "riv er", "xiver2"])
        expect([words, await listed(`_q=${words}`)]).toEqual([words, []]);
    });

    test("snippets, facets, scores and cursors are of what was found", async () => {
      const query = "_q=rivr&sort=_score&snippets=true&facets=kind";
      expect((await tolerant.send("GET", `/api/pages?${query}`, { token: full })).body).toMatchObject({
        data: [{ title: "River" }, { title: "Houses" }],
        meta: {
          search: {
            snippets: [expect.stringContaining("<mark>River</mark>"), expect.stringContaining("<mark>river</mark>")],
            facets: { kind: [{ value: "guide" }, { value: "news" }] },
          },
        },
      });
      const walked = (after: string) =>
        read(
          `_q=rivr&pagination[pageSize]=1&pagination[withCount]=true&pagination[after]=${encodeURIComponent(after)}`,
        );
      const first = await walked("");
      const second = await walked(first.meta.pagination.after ?? "");
      expect([first, second].map(({ data }) => data.map(({ title }) => title))).toEqual([["Houses"], ["River"]]);
      expect((await read("_q=rivr&pagination[start]=5")).meta.pagination.total).toBe(2);
    });

    test("nobody finds by a typo what they do not see", async () => {
      expect(await listed("_q=runing")).toEqual(["Houses"]);
      expect(await listed("_q=clam", "")).toEqual(["Houses"]);
      for (const words of ["runing", "orchrad", "tresure"])
        expect([words, await listed(`_q=${words}`, "")]).toEqual([words, []]);
      for (const words of ["tresure", "wisper", "dungeo"])
        expect([words, await listed(`_q=${words}`)]).toEqual([words, []]);
    });

    test("hostile texts are answered", async () => {
      const letters = Array.from(
        { length: 60 },
        (_, index) => `zyxwvutsrqpon${String.fromCodePoint(97 + (index % 26))}`,
      );
      const hostile = ["'; drop table pages; --", "пpивет миp", "ривет", String.raw`'\:*&|!<->()`, letters.join(" ")];
      for (const text of [...hostile, "\u{1F600}".repeat(5), "ααααα", "ßßßßßß", "\u{E000}abcd"]) {
        const query = `_q=${encodeURIComponent(text)}&sort=_score&snippets=true&facets=kind&locale=*`;
        const { status } = await tolerant.send("GET", `/api/pages?${query}`, { token: full });
        expect([text, status]).toEqual([text, 200]);
      }
    });
  });
});
