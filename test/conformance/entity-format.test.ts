/** What is decided of the entity format of GraphQL rather than recorded. */
import { expect, test } from "vitest";
import { borrowServer } from "./replay-area.ts";

interface Entity {
  readonly id: string;
  readonly attributes: { readonly title: string; readonly publishedAt: string | null };
}
interface Reply {
  readonly data: Readonly<Record<string, { readonly data: Entity | null } | null>>;
}

// The first file to ask for a server waits until it has started.
test(
  "publishedAt decides over the state of a document, which otherwise keeps its own",
  { timeout: 240_000 },
  async () => {
    const { url, tokens } = await borrowServer("entity");
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
  },
);
