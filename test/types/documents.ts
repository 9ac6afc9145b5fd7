import type { Article } from "../../generated/article/document.ts";
/** What the compiler says about the document service: every marked line must be refused. Checked by `npm run typecheck`. */
import { defineExtension } from "../../runtime/app/extension.ts";
import type { Documents } from "../../runtime/documents/service.ts";
import type { FindQuery } from "../../runtime/schema/typed/index.ts";

/** Compiles where both types are the same. */
type Same<One, Other> =
  (<Probe>() => Probe extends One ? 1 : 2) extends <Probe>() => Probe extends Other ? 1 : 2 ? true : never;
/** Nested intersections of what was read, as one object. */
type Plain<Value> = Value extends readonly (infer Item)[]
  ? Plain<Item>[]
  : Value extends object
    ? { [Name in keyof Value]: Plain<Value[Name]> }
    : Value;
const is = <Wanted>() => ({
  of: <Value>(_value: Value, _same: Same<Plain<Value>, Wanted>): void => undefined,
});

export const written = async (documents: Documents): Promise<void> => {
  const articles = documents("api::article.article");
  const draft = await articles.create({
    data: {
      title: "Tea",
      featured: true,
      author: { documentId: "a" },
      categories: ["a", { id: 1 }],
      tags: { connect: [{ documentId: "b", position: { before: "c" } }], disconnect: [2] },
      cover: 3,
      seo: { metaDescription: "…" },
      sections: [{ __component: "blocks.quote", text: null }],
    },
    locale: "en",
    status: "draft",
    fields: ["title"],
  });
  is<{ id: number; documentId: string; title: string | null }>().of(draft, true);
  const updated = await articles.update(draft.documentId, {
    data: { author: null, categories: [], seo: { id: 1 } },
    fields: [],
    populate: ["author"],
  });
  if (updated) is<string | undefined>().of(updated.author?.name, true);
  const published = await articles.publish(draft.documentId, { fields: ["publishedAt"] });
  if (published) is<string>().of(published.publishedAt, true);
  const left = await articles.unpublish(draft.documentId, { fields: ["publishedAt"] });
  if (left) is<string | null>().of(left.publishedAt, true);
};

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

export const asked = async (documents: Documents): Promise<void> => {
  const articles = documents("api::article.article");
  await articles.find({
    filters: {
      title: { $contains: "Tea", $not: { $in: ["a", null] } },
      slug: ["a", "b"],
      featured: true,
      excerpt: null,
      publishedAt: { $gt: "2026-01-01T00:00:00.000Z" },
      author: { name: { $eqi: "ada" }, articles: { tags: { name: "x" } } },
      categories: 5,
      cover: { ext: ".png" },
      seo: { metaTitle: { $null: true } },
      $or: [{ id: 1 }, { localizations: { locale: "de" } }],
      $not: { body: { $null: true } },
    },
    sort: ["publishedAt:desc", "title"],
    pagination: { page: 2, pageSize: 10 },
    publicationFilter: "modified",
    _q: "tea",
  });
  await articles.find({ sort: { author: { name: "asc" }, title: "desc" }, fields: "*", populate: "*" });
  await articles.find({ sort: [{ seo: { metaTitle: "asc" } }], populate: "author" });
  await articles.find({
    populate: {
      categories: { filters: { name: { $ne: "x" } }, sort: "name:desc", populate: { articles: { count: true } } },
      sections: { populate: "*" },
    },
  });
};

export const matched = async (documents: Documents): Promise<void> => {
  const articles = documents("api::article.article");
  is<number>().of(await articles.count({ filters: { author: { name: "Ada" } }, status: "draft" }), true);
  is<boolean>().of(await articles.exists({ _q: "tea", locale: "de" }), true);
  const first = await articles.findFirst({ sort: "publishedAt:desc", fields: ["slug"], populate: { author: true } });
  if (first) is<string | undefined>().of(first.author?.name, true);
  // @ts-expect-error not in `fields`
  void first?.title;
  // @ts-expect-error no such attribute
  await articles.count({ filters: { titel: "Tea" } });
  // @ts-expect-error nothing is shown
  await articles.exists({ fields: ["title"] });
  // @ts-expect-error the first is no page
  await articles.findFirst({ pagination: { page: 2 } });
};

export const refused = async (documents: Documents): Promise<void> => {
  const articles = documents("api::article.article");
  // @ts-expect-error no such content type
  documents("api::article.articel");

  // @ts-expect-error no such attribute
  await articles.create({ data: { title: "Tea", slug: "tea", titel: "Tea" } });
  // @ts-expect-error a slug is required where it is published
  await articles.create({ data: { title: "Tea" } });
  // @ts-expect-error wrong type
  await articles.create({ data: { title: 1 }, status: "draft" });
  // @ts-expect-error set by the server
  await articles.create({ data: { title: "Tea", slug: "tea", documentId: "a" } });
  // @ts-expect-error no such attribute of the component
  await articles.create({ data: { seo: { metaTitel: "Tea" } }, status: "draft" });
  // @ts-expect-error a component that the zone does not list
  await articles.update("a", { data: { sections: [{ __component: "shared.seo", metaTitle: "Tea" }] } });
  // @ts-expect-error no attribute of this component
  await articles.update("a", { data: { sections: [{ __component: "blocks.quote", heading: "Tea" }] } });
  // @ts-expect-error no component is named
  await articles.update("a", { data: { sections: [{ text: "Tea" }] } });
  // @ts-expect-error what is published has a title
  await articles.update("a", { data: { title: null } });
  // @ts-expect-error a document is named by one of its ids
  await articles.update("a", { data: { author: { name: "Ada" } } });
  // @ts-expect-error categories have no drafts: the name is required
  await documents("api::category.category").create({ data: { slug: "a" }, status: "draft" });
  // @ts-expect-error no such status
  await articles.update("a", { data: {}, status: "published!" });

  // @ts-expect-error no such parameter
  await articles.find({ filter: {} });
  // @ts-expect-error no such attribute
  await articles.find({ fields: ["titel"] });
  // @ts-expect-error a relation is populated
  await articles.find({ fields: ["author"] });
  // @ts-expect-error a value is no relation
  await articles.find({ populate: ["title"] });
  // @ts-expect-error no such relation
  await articles.find({ populate: { autor: true } });
  // @ts-expect-error no such relation beside one that is there
  await articles.find({ populate: { author: true, autor: true } });
  // @ts-expect-error no such attribute of the author
  await articles.find({ populate: { author: { fields: ["nam"] } } });
  // @ts-expect-error no such option
  await articles.find({ populate: { author: { field: ["name"] } } });
  // @ts-expect-error no such option beside one that is there
  await articles.find({ populate: { author: { fields: ["name"], field: ["name"] } } });
  // @ts-expect-error no such relation two levels down
  await articles.find({ populate: { author: { populate: { portrait: true, portrai: true } } } });
  // @ts-expect-error no such attribute in a filter inside
  await articles.find({ populate: { categories: { filters: { name: "a", nam: "a" } } } });
  // @ts-expect-error no such operator inside
  await articles.find({ populate: { categories: { filters: { $and: [{ name: { $contain: "a" } }] } } } });
  // @ts-expect-error no such attribute in an order inside
  await articles.find({ populate: { categories: { sort: "nam" } } });
  // @ts-expect-error a component that the zone does not list
  await articles.find({ populate: { sections: { on: { "blocks.quote": true, "shared.seo": true } } } });
  // @ts-expect-error no attribute of that component
  await articles.find({ populate: { sections: { on: { "blocks.quote": { fields: ["heading"] } } } } });
  // @ts-expect-error files are listed, not counted
  await articles.find({ populate: { gallery: { counted: true } } });

  // @ts-expect-error no such attribute
  await articles.find({ filters: { titel: "Tea" } });
  // @ts-expect-error no such attribute beside one that is there
  await articles.find({ filters: { title: "Tea", titel: "Tea" } });
  // @ts-expect-error no such attribute of the author
  await articles.find({ filters: { author: { nam: "Ada" } } });
  // @ts-expect-error wrong type
  await articles.find({ filters: { title: 1 } });
  // @ts-expect-error no such operator
  await articles.find({ filters: { title: { $contain: "Tea" } } });
  // @ts-expect-error a truth value holds no text
  await articles.find({ filters: { featured: { $contains: "t" } } });
  // @ts-expect-error no such attribute in a group
  await articles.find({ filters: { $or: [{ title: "Tea" }, { titel: "Tea" }] } });
  // @ts-expect-error a zone cannot be filtered
  await articles.find({ filters: { sections: { text: "Tea" } } });
  // @ts-expect-error no such attribute
  await articles.find({ sort: "titel" });
  // @ts-expect-error no such direction
  await articles.find({ sort: "title:down" });
  // @ts-expect-error no such attribute of the author
  await articles.find({ sort: { author: { nam: "asc" } } });
  // @ts-expect-error no such attribute among others
  await articles.find({ sort: ["title", "titel:asc"] });
};

export const extension = defineExtension<"api::article.article">({
  hooks: {
    beforeCreate: ({ data }) => ({ ...data, title: data.title?.trim() ?? null }),
    // @ts-expect-error no such attribute
    beforeUpdate: ({ data }) => ({ ...data, title: data.titel }),
    afterUpdate({ document, previous }) {
      is<string | null>().of(document.title, true);
      is<string>().of(document.locale, true);
      is<string | null | undefined>().of(previous?.publishedAt, true);
      // @ts-expect-error no such attribute
      void previous?.titel;
      // @ts-expect-error a relation is asked for from the document service
      void document.author;
    },
    async afterDelete({ previous, services }) {
      await services.mailer.send({ to: "a@example.com", subject: "gone", text: previous.slug ?? "" });
      // @ts-expect-error nothing is left
      void previous.document;
    },
  },
});

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
