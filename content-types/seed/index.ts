/** The content of the example, a magazine about the edge of the sea: `cms seed` loads it. */
import { defineSeed, type SeedContext } from "galley-cms";
import type { Edition, Story } from "./articles/article.ts";
import { stories } from "./articles/index.ts";
import { type Ids, idsIn, makeAll } from "./ids.ts";
import { seedPages } from "./pages.ts";
import { authors } from "./people.ts";
import { pictures } from "./pictures.ts";
import { categories, tags } from "./topics.ts";

const seedStory = (
  { document }: SeedContext,
  { slug, cover, gallery = [], author, ...story }: Story,
  files: Ids<number>,
  documents: { readonly [Kind in "authors" | "categories" | "tags" | "stories"]: Ids<string> },
): Promise<string> => {
  const shared = {
    slug,
    cover: files(cover),
    gallery: gallery.map(files),
    featured: story.featured ?? false,
    author: documents.authors(author),
    categories: story.categories.map(documents.categories),
    tags: story.tags.map(documents.tags),
    related: (story.related ?? []).map(documents.stories),
  };
  const inFull = ({ title, excerpt, ...edition }: Edition) => ({
    ...shared,
    ...edition,
    title,
    excerpt,
    seo: { metaTitle: title, metaDescription: excerpt, image: files(cover) },
  });
  return document("api::article.article", {
    key: "slug",
    data: inFull(story.en),
    translations: story.de ? { de: inFull(story.de) } : {},
    ...(story.draft ? { draft: true } : {}),
  });
};

export default defineSeed(async (context) => {
  const files = await makeAll(
    pictures,
    ({ name }) => name,
    ({ name, alternativeText }) => context.file(`pictures/${name}`, { alternativeText }),
  );
  const documents = {
    authors: await makeAll(
      authors,
      ({ slug }) => slug,
      (author) =>
        context.document("api::author.author", { key: "slug", data: { ...author, portrait: files(author.portrait) } }),
    ),
    categories: await makeAll(
      categories,
      ({ slug }) => slug,
      ({ slug, en, de }) =>
        context.document("api::category.category", {
          key: "slug",
          data: { ...en, slug },
          translations: { de: { ...de, slug } },
        }),
    ),
    tags: await makeAll(
      tags,
      ({ slug }) => slug,
      (tag) => context.document("api::tag.tag", { key: "slug", data: tag }),
    ),
  };
  const written = new Map<string, string>();
  for (const story of stories) {
    written.set(story.slug, await seedStory(context, story, files, { ...documents, stories: idsIn(written) }));
  }
  await seedPages(context, files, idsIn(written));
});
