/** What the compiler says of the answers of the document service. Checked by `npm run typecheck`. */
import type { Article } from "../../generated/article/document.ts";
import type { Documents } from "../../runtime/documents/service.ts";
import type { FindQuery } from "../../runtime/schema/typed/index.ts";
import { is } from "./same.ts";

export const read = async (documents: Documents): Promise<void> => {
  const articles = documents("api::article.article");

  const article = await articles.findOne("a", { populate: { author: true }, fields: ["title"] });
  if (article) {
    is<{
      id: number;
      documentId: string;
      title: string;
      author: {
        id: number;
        documentId: string;
        createdAt: string;
        updatedAt: string;
        publishedAt: string;
        name: string;
        slug: string;
        biography: string | null;
      } | null;
    }>().of(article, true);
    // @ts-expect-error left out by `fields`
    void article.body;
    // @ts-expect-error private
    void article.author?.email;
    // @ts-expect-error not populated
    void article.author?.articles;
  }

  const [plain] = await articles.find();
  is<string | undefined>().of(plain?.title, true);
  // @ts-expect-error not populated
  void plain?.author;

  const [draft] = await articles.find({
    status: "draft",
    fields: ["slug", "locale", "publishedAt"],
    populate: {
      author: { fields: ["name"] },
      related: { fields: ["slug"], populate: { seo: { fields: ["metaTitle"] } } },
    },
  });
  // The author has no drafts: what it is required to have is there.
  is<
    | {
        id: number;
        documentId: string;
        locale: string;
        slug: string | null;
        publishedAt: string | null;
        author: { id: number; documentId: string; name: string } | null;
        related: {
          id: number;
          documentId: string;
          slug: string | null;
          seo: { id: number; metaTitle: string | null } | null;
        }[];
      }
    | undefined
  >().of(draft, true);

  const [lists] = await articles.find({
    fields: [],
    populate: { tags: { count: true }, gallery: { fields: ["url"] }, cover: false, localizations: { fields: [] } },
  });
  is<
    | {
        id: number;
        documentId: string;
        tags: { count: number };
        gallery: { id: number; documentId: string; url: string }[];
        localizations: { id: number; documentId: string }[];
      }
    | undefined
  >().of(lists, true);

  for (const section of (await articles.findOne("a", { populate: ["sections"] }))?.sections ?? []) {
    if (section.__component === "blocks.quote") is<string>().of(section.text, true);
    // @ts-expect-error of another component
    if (section.__component === "blocks.text") void section.author;
  }

  const home = await documents("api::homepage.homepage").findOne(undefined, {
    populate: {
      sections: {
        on: { "blocks.hero": { fields: ["heading"], populate: { links: true } }, "blocks.quote": true },
      },
    },
  });
  is<
    | (
        | {
            __component: "blocks.hero";
            id: number;
            heading: string;
            links: { id: number; label: string; url: string; external: boolean | null }[];
          }
        | { __component: "blocks.quote"; id: number; text: string; attribution: string | null }
      )[]
    | undefined
  >().of(home?.sections, true);

  // What is asked for is known only when the code runs: what is read may be there or not.
  const names: ("title" | "slug")[] = ["title"];
  const status = names.length > 1 ? "draft" : "published";
  const [unknown] = await articles.find({ fields: names, status });
  is<string | null | undefined>().of(unknown?.title, true);
  const query: FindQuery<Article> = { sort: "title" };
  const [any] = await articles.find(query);
  is<string | null | undefined>().of(any?.title, true);
  is<number | undefined>().of(any?.id, true);
  const wanted: boolean = names.length > 1;
  const [perhaps] = await articles.find({ populate: { cover: wanted } });
  is<string | undefined>().of(perhaps?.cover?.url, true);
};

/** Code with all rights may name what is private; it is shown where it is named, and passwords never are. */
export const privates = async (documents: Documents): Promise<void> => {
  const authors = documents("api::author.author");
  const found = await authors.findFirst({ filters: { email: { $endsWith: "@example.com" } }, sort: "email:desc" });
  // @ts-expect-error it was not named
  void found?.email;
  const named = await authors.findFirst({ fields: ["name", "email"] });
  if (named) is<{ id: number; documentId: string; name: string; email: string | null }>().of(named, true);
  // @ts-expect-error an address is no number
  await authors.find({ filters: { email: 5 } });
  const users = documents("plugin::users-permissions.user");
  // @ts-expect-error a password is never read
  await users.find({ fields: ["password"] });
  // @ts-expect-error and nothing is found by it
  await users.find({ filters: { password: "…" } });
};
