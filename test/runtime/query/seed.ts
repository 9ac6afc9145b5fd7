/** A few documents that lead to each other in every way. */
import type { Database } from "../../../runtime/database/database.ts";
import { documents } from "../../../runtime/schema/columns.ts";
import { files } from "../../../runtime/schema/tables/files.ts";
import {
  articles,
  articlesCategories,
  articlesGallery,
  articlesRelated,
  articlesVaults,
  authors,
  categories,
  comments,
  commentsMentions,
  insert,
  vaults,
} from "./tables.ts";

const at = "2020-01-02 03:04:05.006";
const written = { createdAt: at, updatedAt: at };
const live = { ...written, publishedAt: at };

const file = (id: number, name: string) => ({
  ...live,
  id,
  documentId: `file${id}`,
  name,
  hash: `h${id}`,
  ext: ".png",
  mime: "image/png",
  size: 1.5,
  url: `/uploads/${name}`,
  provider: "local",
  formats: { thumbnail: { width: 1 } },
});

const identities = (type: string, ids: readonly string[]) => ids.map((documentId) => ({ documentId, type }));

export const seed = async (database: Database): Promise<void> => {
  await insert(database, documents, [
    ...identities("api::article.article", ["a1", "a2", "a3"]),
    ...identities("api::author.author", ["ann", "bob", "cid"]),
    ...identities("api::category.category", ["root", "leaf", "draft"]),
    ...identities("api::comment.comment", ["c1", "c2"]),
    ...identities("api::vault.vault", ["v1"]),
  ]);
  await insert(database, files, [file(1, "one.png"), file(2, "two.png")]);
  await insert(database, authors, [
    { ...live, id: 1, documentId: "ann", name: "Ann", age: 30, token: "t-ann", avatar: 1 },
    { ...live, id: 2, documentId: "bob", name: "Bob", age: 45, boss: "ann" },
    { ...live, id: 3, documentId: "cid", name: "Cid" },
  ]);
  await insert(database, categories, [
    { ...written, id: 1, documentId: "root", name: "Root draft", position: 1 },
    { ...live, id: 2, documentId: "root", name: "Root", position: 1 },
    { ...live, id: 3, documentId: "leaf", name: "Leaf", position: 2 },
    { ...written, id: 4, documentId: "draft", name: "Unpublished", position: 3 },
  ]);
  await insert(database, vaults, [{ ...live, id: 1, documentId: "v1", name: "gold" }]);
  await insert(database, articles, [
    { ...written, id: 1, documentId: "a1", locale: "en", title: "First draft", rating: 5, author: "ann" },
    {
      ...live,
      id: 2,
      documentId: "a1",
      locale: "en",
      title: "First",
      slug: "first",
      rating: 5,
      views: "9007199254740993",
      price: "12.50",
      score: 0.5,
      featured: true,
      day: "2020-02-29",
      clock: "09:00:00",
      moment: "2020-01-01 10:00:00.5",
      stamp: "2020-01-01 00:00:00",
      extra: { b: 1, a: [1, 2] },
      secret: "s3cret",
      pin: "hash",
      author: "ann",
      cover: 1,
      seo: {
        id: 11,
        title: "Seo",
        key: "k",
        image: 2,
        images: [2, 1],
        topics: ["leaf", "root", "draft"],
        links: [{ id: 12, label: "x", amount: 1, url: "/x", owner: "bob", safe: "v1" }],
      },
      links: [
        { id: 13, label: "b", amount: 2, url: "/b", icon: 1, owner: "ann", safe: null },
        { id: 14, label: "a", amount: 7, url: "/a", icon: null, owner: "gone", safe: "v1" },
      ],
      sections: [
        { __component: "blocks.quote", id: 15, text: "Q", by: "me" },
        {
          __component: "blocks.hero",
          id: 16,
          heading: "H",
          image: 1,
          cta: { id: 17, label: "go" },
          about: [
            { __type: "api::author.author", documentId: "bob" },
            { __type: "api::vault.vault", documentId: "v1" },
          ],
        },
      ],
    },
    { ...live, id: 3, documentId: "a1", locale: "fr", title: "Premier", rating: 5, author: "ann" },
    { ...live, id: 4, documentId: "a2", locale: "en", title: "Second", rating: 2, author: "bob" },
    { ...live, id: 5, documentId: "a3", locale: "en", title: "Third" },
  ]);
  await insert(database, articlesCategories, [
    { versionId: 2, documentId: "leaf", position: 1, inversePosition: 2 },
    { versionId: 2, documentId: "root", position: 2, inversePosition: 1 },
    { versionId: 2, documentId: "draft", position: 3, inversePosition: 1 },
    { versionId: 1, documentId: "root", position: 1, inversePosition: 1 },
    { versionId: 4, documentId: "leaf", position: 1, inversePosition: 1 },
    { versionId: 3, documentId: "leaf", position: 1, inversePosition: 3 },
  ]);
  await insert(database, articlesRelated, [
    { versionId: 4, documentId: "a1", position: 1 },
    { versionId: 3, documentId: "a1", position: 1 },
  ]);
  await insert(database, articlesVaults, [{ versionId: 2, documentId: "v1", position: 1 }]);
  await insert(database, articlesGallery, [
    { versionId: 2, fileId: 2, position: 1 },
    { versionId: 2, fileId: 1, position: 2 },
  ]);
  await insert(database, comments, [
    { ...live, id: 1, documentId: "c1", content: "one", subject: "a1", subjectType: "api::article.article" },
    { ...live, id: 2, documentId: "c2", content: "two", subject: "v1", subjectType: "api::vault.vault" },
  ]);
  await insert(database, commentsMentions, [
    { versionId: 1, documentId: "a1", documentType: "api::article.article", position: 1 },
    { versionId: 1, documentId: "bob", documentType: "api::author.author", position: 2 },
    { versionId: 2, documentId: "a1", documentType: "api::article.article", position: 1 },
    { versionId: 2, documentId: "v1", documentType: "api::vault.vault", position: 2 },
  ]);
};
