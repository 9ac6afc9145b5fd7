/** Content in memory, the same in every run, and its rows. */
import * as fc from "fast-check";
import type { Database } from "../../../runtime/database/database.ts";
import { documents } from "../../../runtime/schema/columns.ts";
import { articles, articlesCategories, articlesRelated, authors, categories, insert } from "./tables.ts";

export type Status = "draft" | "published";

export interface Entry {
  readonly id: number;
  readonly label: string | null;
  readonly amount: number | null;
  readonly owner: string | null;
}

export interface Seo {
  readonly id: number;
  readonly title: string | null;
  readonly topics: readonly string[];
  readonly links: readonly Entry[];
}

/** An entry of the dynamic zone. */
export interface Section {
  readonly id: number;
  readonly __component: string;
  readonly text?: string | null;
  readonly heading?: string | null;
  readonly links?: readonly Entry[];
}

export interface Article {
  readonly id: number;
  readonly documentId: string;
  readonly locale: string;
  readonly status: Status;
  readonly title: string | null;
  readonly rating: number | null;
  readonly author: string | null;
  readonly categories: readonly string[];
  readonly related: readonly string[];
  readonly seo: Seo | null;
  readonly links: readonly Entry[];
  readonly sections: readonly Section[];
}

export interface Author {
  readonly id: number;
  readonly documentId: string;
  readonly name: string | null;
  readonly age: number | null;
  readonly boss: string | null;
}

export interface Category {
  readonly id: number;
  readonly documentId: string;
  readonly status: Status;
  readonly name: string | null;
  readonly position: number | null;
}

export interface Data {
  readonly articles: readonly Article[];
  readonly authors: readonly Author[];
  readonly categories: readonly Category[];
}

const AUTHORS = ["p1", "p2", "p3", "p4"];
const CATEGORIES = ["k1", "k2", "k3", "k4", "k5"];
const ARTICLES = ["d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8"];

const text = fc.constantFrom("a", "b", "ab", "AB", "ba", "B", "éa", "É", "a_b", "100%", null);
const number = fc.constantFrom(0, 1, 2, 3, 4, null);

const subset = (all: readonly string[]) => fc.shuffledSubarray([...all], { maxLength: 3 });

const sample = <Value>(arbitrary: fc.Arbitrary<Value>, count: number): Value[] =>
  fc.sample(arbitrary, { numRuns: count, seed: 20_260 });

const identity = (type: string) => (documentId: string) => ({ documentId, type });

/** Data of every combination, the same in every run. */
export const randomData = (): Data => {
  const entries = fc.array(
    fc.record({ id: fc.constant(0), label: text, amount: number, owner: fc.constantFrom(...AUTHORS, null) }),
    { maxLength: 3 },
  );
  const section: fc.Arbitrary<Section> = fc.oneof(
    fc.record({ id: fc.constant(0), __component: fc.constant("blocks.quote"), text }),
    fc.record({ id: fc.constant(0), __component: fc.constant("blocks.hero"), heading: text, links: entries }),
  );
  const article = fc.record({
    sections: fc.array(section, { maxLength: 3 }),
    title: text,
    rating: number,
    author: fc.constantFrom(...AUTHORS, null),
    categories: subset(CATEGORIES),
    related: subset(ARTICLES),
    seo: fc.option(fc.record({ id: fc.constant(0), title: text, topics: subset(CATEGORIES), links: entries })),
    links: entries,
  });
  const author = fc.record({ name: text, age: number, boss: fc.constantFrom(...AUTHORS, null) });
  const category = fc.record({ name: text, position: number });
  let id = 0;
  const numbered = <Value extends object>(value: Value) => ({ ...value, id: (id += 1) });
  const versions = ARTICLES.flatMap((documentId, index) =>
    ["en", "fr"].flatMap((locale) =>
      (["draft", "published"] as const)
        // Some versions are missing.
        .filter((status) => (index + locale.length + status.length + (locale === "fr" ? index : 0)) % 4 !== 0)
        .map((status) => ({ documentId, locale, status })),
    ),
  );
  return {
    authors: sample(author, AUTHORS.length).map((value, index) =>
      numbered({ ...value, documentId: AUTHORS[index] ?? "" }),
    ),
    categories: sample(category, CATEGORIES.length * 2)
      .map((value, index) => ({
        ...value,
        documentId: CATEGORIES[Math.floor(index / 2)] ?? "",
        status: index % 2 === 0 ? ("draft" as const) : ("published" as const),
      }))
      .filter((_, index) => index % 5 !== 3)
      .map(numbered),
    articles: sample(article, versions.length).map((value, index) => {
      const version = versions[index] ?? { documentId: "", locale: "", status: "draft" };
      const seo = value.seo && { ...numbered(value.seo), links: value.seo.links.map(numbered) };
      return numbered({ ...value, ...version, seo, links: value.links.map(numbered) });
    }),
  };
};

export const store = async (database: Database, data: Data): Promise<void> => {
  const at = { createdAt: "2020-01-01 00:00:00", updatedAt: "2020-01-01 00:00:00" };
  const publishedAt = (status: Status) => (status === "published" ? at.createdAt : null);
  await insert(database, documents, [
    ...AUTHORS.map(identity("api::author.author")),
    ...CATEGORIES.map(identity("api::category.category")),
    ...ARTICLES.map(identity("api::article.article")),
  ]);
  await insert(
    database,
    authors,
    data.authors.map((row) => ({ ...row, ...at, publishedAt: at.createdAt })),
  );
  await insert(
    database,
    categories,
    data.categories.map(({ status, ...row }) => ({ ...row, ...at, publishedAt: publishedAt(status) })),
  );
  await insert(
    database,
    articles,
    data.articles.map(({ status, categories: _categories, related: _related, ...row }) => ({
      ...row,
      ...at,
      publishedAt: publishedAt(status),
    })),
  );
  const links = (key: "categories" | "related") =>
    data.articles.flatMap((row) =>
      row[key].map((documentId, index) => ({ versionId: row.id, documentId, position: index + 1 })),
    );
  await insert(database, articlesCategories, links("categories"));
  await insert(database, articlesRelated, links("related"));
};
