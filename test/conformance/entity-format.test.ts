/** The entity format of GraphQL: its recordings, and what is decided rather than recorded. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { checkEntityStep, entityComparison } from "./entity-recordings.ts";
import { replay } from "./replay.ts";
import { scenariosOf } from "./scenario.ts";
import { type Served, serveCorpus } from "./server.ts";
import { Session } from "./session.ts";

const ends: (() => unknown)[] = [];
let served: Served;
beforeAll(async () => {
  served = await serveCorpus("entity", (work) => ends.push(work));
}, 240_000);
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

test("every recorded exchange of the entity format is answered as recorded", { timeout: 600_000 }, async () => {
  const session = new Session(served.url, served.tokens);
  onTestFinished(() => session.close());
  const failures: string[] = [];
  for (const scenario of scenariosOf("graphql-v4")) {
    failures.push(...(await replay(session, scenario, { comparison: entityComparison, check: checkEntityStep })));
  }
  expect(failures).toEqual([]);
});

interface Entity {
  readonly id: string;
  readonly attributes: { readonly title: string; readonly publishedAt: string | null };
}
interface Reply {
  readonly data: Readonly<Record<string, { readonly data: Entity | null } | null>>;
}

test("publishedAt decides over the state of a document, which otherwise keeps its own", async () => {
  const { url, tokens } = served;
  const ask = async (field: string): Promise<Entity | null | undefined> => {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${tokens.full}` },
      body: JSON.stringify({ query: `${field} { data { id attributes { title publishedAt } } } }` }),
    });
    const { data }: Reply = JSON.parse(await response.text());
    return Object.values(data)[0]?.data;
  };
  const created = await ask('mutation { createArticle(data: { title: "One" })');
  expect(created?.attributes.publishedAt).not.toBeNull();
  const id = created?.id ?? "";
  const update = (data: string) => ask(`mutation { updateArticle(id: "${id}", data: { ${data} })`);

  expect((await update('title: "Two"'))?.attributes).toMatchObject({ title: "Two", publishedAt: expect.any(String) });
  expect((await ask(`{ article(id: "${id}")`))?.attributes.title).toBe("Two");
  expect((await update("publishedAt: null"))?.attributes).toEqual({ title: "Two", publishedAt: null });
  expect((await update('title: "Three"'))?.attributes).toEqual({ title: "Three", publishedAt: null });
  // Who may read drafts finds a document that is not published.
  expect((await ask(`{ article(id: "${id}")`))?.attributes.title).toBe("Three");
  const published = await update('publishedAt: "2020-01-01T00:00:00.000Z"');
  expect(Date.parse(published?.attributes.publishedAt ?? "")).toBeGreaterThan(Date.parse("2025-01-01"));
  expect((await ask('mutation { createArticle(data: { title: "Draft", publishedAt: null })'))?.attributes).toEqual({
    title: "Draft",
    publishedAt: null,
  });
  expect((await ask(`mutation { deleteArticle(id: "${id}")`))?.attributes.title).toBe("Three");
  expect(await ask(`mutation { deleteArticle(id: "${id}")`)).toBeNull();
});
