/** Random documents have the answers of graphql-js over plain resolvers, to the last byte. */
import { parse, validate } from "graphql";
import { beforeAll, expect, test } from "vitest";
import type { Caller } from "../../../runtime/access/caller.ts";
import { documents } from "../../../runtime/schema/columns.ts";
import { freshDatabase } from "../../support/database.ts";
import { RUNS } from "../../support/thorough.ts";
import { seed } from "../query/seed.ts";
import { articles, articlesRelated, createTables, insert } from "../query/tables.ts";
import { type PlainAnswers, plainAnswers } from "./plain-resolvers.ts";
import { randomDocument } from "./random-documents.ts";
import { type GraphqlServer, schemaWith, serve } from "./world.ts";

/** Sees everything: what is forbidden is an error of its own, and answered elsewhere. */
const everybody: Caller = { kind: "token", can: () => true };

const formats = ["flat", "entity"] as const;

/** Most of what there is to select is below articles. */
const ROOTS = ["articles", "articles", "articles", "article", "author", "authors", "categories", "comments", "vault"];
const rootFields = ROOTS.flatMap((name) => [name, `${name}_connection`]);

interface Side {
  readonly server: GraphqlServer;
  readonly plain: PlainAnswers;
}

let sides: Readonly<Record<(typeof formats)[number], Side>>;

beforeAll(async () => {
  const database = await freshDatabase("postgres");
  await createTables(database);
  await seed(database);
  const at = "2021-01-02 03:04:05.006";
  await insert(database, documents, [{ documentId: "a4", type: "api::article.article" }]);
  // Without ids, which entries must have, and with entries of which nothing but their component is known.
  await insert(database, articles, [
    {
      id: 9,
      documentId: "a4",
      locale: "en",
      createdAt: at,
      updatedAt: at,
      publishedAt: at,
      author: "bob",
      clock: "10:11:12.5",
      views: "12",
      seo: { title: "no id", links: [{ label: "no id" }, { id: 31, label: 'quotes " and \u2028', owner: "cid" }] },
      links: [
        { label: "no id", owner: "ann" },
        { id: 32, amount: 3, icon: 2 },
      ],
      sections: [
        { __component: "blocks.hero", id: 33 },
        { __component: "blocks.quote", text: "no id" },
        { __component: "blocks.quote", id: 34 },
      ],
    },
  ]);
  await insert(database, articlesRelated, [
    { versionId: 9, documentId: "a1", position: 1 },
    { versionId: 9, documentId: "a4", position: 2 },
    { versionId: 2, documentId: "a4", position: 1 },
  ]);
  const side = async (format: (typeof formats)[number]): Promise<Side> => {
    const graphql = { format, depthLimit: 50, aliasLimit: 10_000, tokenLimit: 1_000_000 };
    const server = await serve({ database, graphql, caller: everybody });
    return { server, plain: await plainAnswers(server, schemaWith(undefined, { format }), format) };
  };
  sides = { flat: await side("flat"), entity: await side("entity") };
});

test("random documents have the answers of graphql-js", { timeout: 7_200_000 }, async () => {
  const seen = { answered: 0, empty: 0, errors: 0, nulls: 0 };
  const first = RUNS.documentsSeed;
  for (let seed = first; seen.answered < RUNS.documents; seed += 1) {
    const format = formats[seed % 2] ?? "flat";
    const { server, plain } = sides[format];
    const { text, variables } = randomDocument(plain.schema, rootFields, seed);
    if (validate(plain.schema, parse(text)).length > 0) continue;
    const expected = plain.answer(text, variables);
    const { text: given } = await server.query(text, variables);
    expect(given, `${format} ${seed}: ${text} ${JSON.stringify(variables)}`).toBe(expected);
    seen.answered += 1;
    if (expected.includes("{}")) seen.empty += 1;
    if (expected.includes('"errors"')) seen.errors += 1;
    if (expected.includes(":null")) seen.nulls += 1;
  }
  // Agreeing on nothing would prove nothing.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(RUNS.documents / 100);
});
