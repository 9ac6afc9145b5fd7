/** What the compiler says about seeds: every marked line must be refused. Checked by `npm run typecheck`. */
import { defineSeed } from "../../runtime/app/seed/seed.ts";

export const accepted = defineSeed(async ({ document, file }) => {
  const cover = await file("tea.png");
  const author = await document("api::author.author", { key: "slug", data: { name: "Ida", slug: "ida" } });
  await document("api::article.article", {
    key: "slug",
    data: { title: "Tea", slug: "tea", author, cover, sections: [{ __component: "blocks.quote", text: "…" }] },
    translations: { de: { title: "Tee" } },
  });
  await document("api::article.article", { key: "slug", data: { slug: "later", seo: {} }, draft: true });
  await document("api::homepage.homepage", { data: { title: "Home" } });
});

/** Data that could be published may stay a draft. */
export const either = (draft: { readonly draft?: true }) =>
  defineSeed(async ({ document }) => {
    await document("api::article.article", { key: "slug", data: { title: "Tea", slug: "tea" }, ...draft });
  });

export const refused = defineSeed(async ({ document }) => {
  // @ts-expect-error no such content type
  await document("api::artikel.artikel", { data: {} });
  // @ts-expect-error what is published has a title
  await document("api::article.article", { key: "slug", data: { slug: "tea" } });
  // @ts-expect-error no such attribute
  await document("api::article.article", { key: "slug", data: { title: "Tea", slug: "tea", titel: "Tea" } });
  // @ts-expect-error nor in a draft
  await document("api::article.article", { key: "slug", data: { slug: "tea", titel: "Tea" }, draft: true });
  // @ts-expect-error wrong type
  await document("api::article.article", { key: "slug", data: { title: 1, slug: "tea" } });
  // @ts-expect-error no attribute to be found again by
  await document("api::article.article", { key: "titel", data: { title: "Tea", slug: "tea" } });
  await document("api::article.article", {
    key: "slug",
    data: { title: "Tea", slug: "tea" },
    // @ts-expect-error no such attribute in another locale either
    translations: { de: { titel: "Tee" } },
  });
  // @ts-expect-error a truth value is no file
  await document("api::article.article", { key: "slug", data: { title: "Tea", slug: "tea", cover: true } });
  // @ts-expect-error a type without draft & publish has no drafts that lack something
  await document("api::tag.tag", { key: "slug", data: { slug: "tea" }, draft: true });
});
