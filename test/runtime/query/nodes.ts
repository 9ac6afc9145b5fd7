/** Content in memory, as a query walks it. */
import type { Article, Author, Category, Data, Entry, Section, Seo, Status } from "./random-data.ts";

export type Scalar = string | number | boolean | null;

/** Anything that a filter can stand on: a version, or an entry of a component. */
export interface Node {
  readonly id: number;
  readonly scalars: Readonly<Record<string, Scalar>>;
  /** Where its relations and components lead. */
  follow(name: string): readonly Node[];
}

export const authorNode = (data: Data, row: Author): Node => ({
  id: row.id,
  scalars: { id: row.id, documentId: row.documentId, name: row.name, age: row.age },
  follow: (name) =>
    data.authors
      .filter((other) => (name === "boss" ? other.documentId === row.boss : other.boss === row.documentId))
      .map((other) => authorNode(data, other)),
});

const authorsOf = (data: Data, documentId: string | null): Node[] =>
  data.authors.filter((row) => row.documentId === documentId).map((row) => authorNode(data, row));

export const categoryNode = (data: Data, row: Category): Node => ({
  id: row.id,
  scalars: { id: row.id, documentId: row.documentId, name: row.name, position: row.position },
  follow: () =>
    data.articles
      .filter((other) => other.status === row.status && other.categories.includes(row.documentId))
      .map((other) => articleNode(data, other)),
});

const categoriesOf = (data: Data, documentIds: readonly string[], status: Status): Node[] =>
  documentIds.flatMap((documentId) =>
    data.categories
      .filter((row) => row.documentId === documentId && row.status === status)
      .map((row) => categoryNode(data, row)),
  );

const entryNode = (data: Data, entry: Entry): Node => ({
  id: entry.id,
  scalars: { id: entry.id, label: entry.label, amount: entry.amount },
  follow: () => authorsOf(data, entry.owner),
});

const seoNode = (data: Data, seo: Seo, status: Status): Node => ({
  id: seo.id,
  scalars: { id: seo.id, title: seo.title },
  follow: (name) =>
    name === "links" ? seo.links.map((entry) => entryNode(data, entry)) : categoriesOf(data, seo.topics, status),
});

const sectionNode = (
  data: Data,
  { id, __component: component, text = null, heading = null, links = [] }: Section,
): Node => ({
  id,
  scalars: { component, text, heading },
  follow: () => links.map((entry) => entryNode(data, entry)),
});

export const articleNode = (data: Data, row: Article): Node => ({
  id: row.id,
  scalars: { id: row.id, documentId: row.documentId, title: row.title, rating: row.rating },
  follow: (name) => {
    switch (name) {
      case "author":
        return authorsOf(data, row.author);
      case "categories":
        return categoriesOf(data, row.categories, row.status);
      case "related":
        return row.related.flatMap((documentId) =>
          data.articles
            .filter(
              (other) => other.documentId === documentId && other.status === row.status && other.locale === row.locale,
            )
            .map((other) => articleNode(data, other)),
        );
      case "seo":
        return row.seo ? [seoNode(data, row.seo, row.status)] : [];
      case "sections":
        return row.sections.map((section) => sectionNode(data, section));
      default:
        return row.links.map((entry) => entryNode(data, entry));
    }
  },
});
