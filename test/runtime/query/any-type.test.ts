/** Which version relations to documents of any type show. */
import { beforeAll, expect, test } from "vitest";
import type { Caller } from "../../../runtime/access/caller.ts";
import { documents } from "../../../runtime/schema/columns.ts";
import { freshDatabase } from "../../support/database.ts";
import { article, comment } from "./content.ts";
import { articles, comments, commentsMentions, insert } from "./tables.ts";
import { createWorld, reader, type World } from "./world.ts";

let world: World;

const at = "2021-01-01 00:00:00";
const targets = { b1: ["fr"], b2: ["de", "fr"], b3: ["de", "en", "fr"] };
const subjectType = article.uid;

/** Articles in some locales, a comment on each of them, and a comment that mentions them all. */
beforeAll(async () => {
  world = await createWorld(await freshDatabase("postgres"));
  const [ids, live] = [Object.keys(targets), { createdAt: at, updatedAt: at, publishedAt: at }];
  await insert(world.database, documents, [
    ...ids.map((documentId) => ({ documentId, type: article.uid })),
    ...ids.map((id) => ({ documentId: `on ${id}`, type: comment.uid })),
  ]);
  const versions = Object.entries(targets).flatMap(([documentId, locales]) =>
    locales.flatMap((locale) => [null, at].map((publishedAt) => ({ documentId, locale, publishedAt }))),
  );
  await insert(
    world.database,
    articles,
    versions.map((version, index) => ({ ...live, id: 100 + index, title: "Lost", ...version })),
  );
  await insert(
    world.database,
    comments,
    ids.map((id, index) => ({ ...live, id: 100 + index, documentId: `on ${id}`, subject: id, subjectType })),
  );
  await insert(
    world.database,
    commentsMentions,
    ids.map((documentId, index) => ({ versionId: 100, documentId, documentType: article.uid, position: index })),
  );
});

const states = ["published", "draft"].flatMap((status) => ["", "en", "fr", "*"].map((locale) => ({ status, locale })));

test.each(states)(
  "a relation to any type shows a locale that there is: $status, $locale",
  async ({ status, locale }) => {
    const query = `status=${status}&locale=${locale}&populate=subject,mentions`;
    const shown = { b1: "fr", b2: "de", b3: "en" };
    for (const [documentId, expected] of Object.entries(shown)) {
      expect(await world.one(comment, `on ${documentId}`, query)).toMatchObject({
        subject: { documentId, locale: expected, publishedAt: status === "draft" ? null : expect.any(String) },
      });
    }
    expect(await world.one(comment, "on b1", query)).toMatchObject({
      mentions: Object.entries(shown).map(([documentId, expected]) => ({ documentId, locale: expected })),
    });
  },
);

test("nothing is shown if the filter does not match the version that is chosen", async () => {
  const query = "populate[mentions][on][api::article.article][filters][locale]=fr";
  expect(await world.one(comment, "on b1", query)).toMatchObject({ mentions: [{ documentId: "b1", locale: "fr" }] });
});

test("an imported link shows the version that it leads to: a draft only to those who may read drafts", async () => {
  const versions = { b1: "draft fr", b2: "published fr", b3: "draft it" };
  await insert(world.database, documents, [{ documentId: "on b4", type: comment.uid }]);
  const version = { id: 110, documentId: "on b4", createdAt: at, updatedAt: at, publishedAt: at };
  await insert(world.database, comments, [version]);
  const links = Object.entries(versions).map(([documentId, documentVersion], position) => ({
    versionId: 110,
    documentId,
    documentType: article.uid,
    documentVersion,
    position,
  }));
  await insert(world.database, commentsMentions, links);
  const shown = async (query: string, caller = reader) =>
    (await world.one(comment, "on b4", `populate=mentions${query}`, caller))?.["mentions"];
  const published = expect.any(String);
  const [first, second, third] = [
    { documentId: "b1", locale: "fr", publishedAt: null },
    { documentId: "b2", locale: "fr", publishedAt: published },
    { documentId: "b3", locale: "en", publishedAt: published },
  ];
  expect(await shown("")).toMatchObject([first, second, third]);
  expect(await shown("&status=draft")).toMatchObject([first, second, { ...third, publishedAt: null }]);
  const visitor: Caller = { kind: "public", can: (action) => action.endsWith(".find") };
  expect(await shown("", visitor)).toMatchObject([{ ...first, publishedAt: published }, second, third]);
  // The other side sees links to documents only.
  const seen = JSON.stringify(await world.one(article, "b1", "populate=comments&locale=fr"));
  expect(seen).toContain('"on b1"');
  expect(seen).not.toContain('"on b4"');
});
