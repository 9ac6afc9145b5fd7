/** Sixty articles that lead to documents and files in every way, for what depends on how many there are. */
import type { Database } from "../../../runtime/database/database.ts";
import { documents } from "../../../runtime/schema/columns.ts";
import { files } from "../../../runtime/schema/tables/files.ts";
import {
  articles,
  articlesCategories,
  articlesGallery,
  articlesRelated,
  authors,
  categories,
  createTables,
  insert,
} from "../query/tables.ts";

export const COUNT = 60;
const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
const at = "2020-01-02 03:04:05.006";
const live = { createdAt: at, updatedAt: at, publishedAt: at };

/** The one after, so that documents lead to others. */
const next = (number: number): number => (number % COUNT) + 1;

const article = (number: number) => ({
  ...live,
  id: number,
  documentId: `a${number}`,
  locale: "en",
  title: `Article ${number}`,
  author: `p${number}`,
  cover: number,
  seo: {
    id: number * 10,
    title: "Seo",
    image: next(number),
    images: [number, next(number)],
    topics: [`k${number}`],
    links: [{ id: number * 10 + 1, label: "in seo", owner: `p${next(number)}` }],
  },
  links: [{ id: number * 10 + 2, label: "link", icon: number, owner: `p${number}` }],
  sections: [
    { __component: "blocks.quote", id: number * 10 + 3, text: "Q" },
    {
      __component: "blocks.hero",
      id: number * 10 + 4,
      heading: "H",
      image: number,
      cta: { id: number * 10 + 5, label: "go", owner: `p${number}` },
    },
  ],
});

/** Makes the tables and fills them. */
export const storeMany = async (database: Database): Promise<void> => {
  await createTables(database);
  const identities = (type: string, letter: string) =>
    numbers.map((number) => ({ documentId: `${letter}${number}`, type }));
  await insert(database, documents, [
    ...identities("api::article.article", "a"),
    ...identities("api::author.author", "p"),
    ...identities("api::category.category", "k"),
  ]);
  await insert(
    database,
    files,
    numbers.map((id) => ({
      ...live,
      id,
      documentId: `file${id}`,
      name: `${id}.png`,
      hash: `h${id}`,
      ext: ".png",
      mime: "image/png",
      size: 1,
      url: `/uploads/${id}.png`,
      provider: "local",
    })),
  );
  await insert(
    database,
    authors,
    numbers.map((id) => ({
      ...live,
      id,
      documentId: `p${id}`,
      name: `Author ${id}`,
      boss: `p${next(id)}`,
      avatar: id,
    })),
  );
  await insert(
    database,
    categories,
    numbers.map((id) => ({ ...live, id, documentId: `k${id}`, name: `Category ${id}`, position: id })),
  );
  await insert(database, articles, numbers.map(article));
  const links = (letter: string) =>
    numbers.flatMap((id) => [
      { versionId: id, documentId: `${letter}${id}`, position: 1 },
      { versionId: id, documentId: `${letter}${next(id)}`, position: 2 },
    ]);
  await insert(database, articlesCategories, links("k"));
  await insert(database, articlesRelated, links("a"));
  await insert(
    database,
    articlesGallery,
    numbers.flatMap((id) => [
      { versionId: id, fileId: id, position: 1 },
      { versionId: id, fileId: next(id), position: 2 },
    ]),
  );
};
