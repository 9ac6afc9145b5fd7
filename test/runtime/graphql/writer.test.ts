/** Random documents have the answers of graphql-js over plain resolvers, to the last byte. */
import { parse, validate } from "graphql";
import { beforeAll, expect, test } from "vitest";
import type { Caller } from "../../../runtime/access/caller.ts";
import { documents } from "../../../runtime/schema/columns.ts";
import { freshDatabase } from "../../support/database.ts";
import { isThorough, RUNS } from "../../support/thorough.ts";
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
        { __component: "blocks.hero", id: 35, links: [], about: [] },
        {
          __component: "blocks.hero",
          id: 36,
          cta: null,
          links: [{ id: 37, label: "one", owner: "bob" }, { label: "no id" }, { id: 38, amount: 1 }],
          about: [
            { __type: "api::comment.comment", documentId: "c1" },
            { __type: "api::article.article", documentId: "a4" },
            { __type: "api::author.author", documentId: "gone" },
          ],
        },
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

/** How many documents are answered at the same time, so that one is prepared while the database reads for others. */
const TOGETHER = 8;

/** What is refused before it is compared with the specification. */
const TOO_OFTEN = "The operation selects the same fields too often.";

const seen = { answered: 0, invalid: 0, empty: 0, errors: 0, nulls: 0 };

/** Compares the answers to one document. An invalid one, whose selections under one key do not fit together, is refused. */
const compare = async (seed: number): Promise<void> => {
  const format = formats[seed % 2] ?? "flat";
  const { server, plain } = sides[format];
  const { text, variables } = randomDocument(plain.schema, rootFields, seed);
  const { text: given, status } = await server.query(text, variables);
  const about = `DOCUMENTS_SEED=${seed} (${format}): ${text} ${JSON.stringify(variables)}`;
  if (status === 400) {
    if (!given.includes(TOO_OFTEN)) expect(validate(plain.schema, parse(text)), about).not.toEqual([]);
    seen.invalid += 1;
    return;
  }
  const expected = plain.answer(text, variables);
  expect(given, about).toBe(expected);
  seen.answered += 1;
  if (expected.includes("{}")) seen.empty += 1;
  if (expected.includes('"errors"')) seen.errors += 1;
  if (expected.includes(":null")) seen.nulls += 1;
};

test("random documents have the answers of graphql-js", { timeout: 14_400_000 }, async () => {
  for (let seed = RUNS.documentsSeed; seen.answered < RUNS.documents; seed += TOGETHER) {
    await Promise.all(Array.from({ length: TOGETHER }, (_, index) => compare(seed + index)));
    if (isThorough && (seed - RUNS.documentsSeed) % 2000 === 0) console.log(seed, JSON.stringify(seen));
  }
  // Agreeing on nothing would prove nothing.
  const { invalid, ...agreed } = seen;
  for (const count of Object.values(agreed)) expect(count).toBeGreaterThan(RUNS.documents / 100);
  expect(invalid).toBeLessThan(seen.answered);
});
