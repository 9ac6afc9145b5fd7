/** The content of the example, a magazine about the edge of the sea: `cms seed` loads it. */
import { defineSeed, type SeedContext } from "galley-cms";
import type { Edition, Story } from "./articles/article.ts";
import { stories } from "./articles/index.ts";
import { seedPages } from "./pages.ts";
import { authors } from "./people.ts";
import { pictures } from "./pictures.ts";
import { categories, tags } from "./topics.ts";

/** The ids of what was made, by file name or slug. */
type Ids<Id> = Readonly<Record<string, Id>>;

const idsOf = async <Item, Id>(
  items: readonly Item[],
  key: (item: Item) => string,
  make: (item: Item) => Promise<Id>,
): Promise<Record<string, Id>> => {
  const ids: Record<string, Id> = {};
  for (const item of items) ids[key(item)] = await make(item);
  return ids;
};

const seedStory = (
  { document }: SeedContext,
  { slug, cover, gallery = [], author, ...story }: Story,
  files: Ids<number>,
  documents: { readonly [kind in "authors" | "categories" | "tags" | "stories"]: Ids<string> },
): Promise<string> => {
  const shared = {
    slug,
    cover: files[cover],
    gallery: gallery.map((name) => files[name]),
    featured: story.featured ?? false,
    author: documents.authors[author],
    categories: story.categories.map((name) => documents.categories[name]),
    tags: story.tags.map((name) => documents.tags[name]),
    related: (story.related ?? []).map((name) => documents.stories[name]),
  };
  const inFull = ({ title, excerpt, ...edition }: Edition) => ({
    ...shared,
    ...edition,
    title,
    excerpt,
    seo: { metaTitle: title, metaDescription: excerpt, image: files[cover] },
  });
  return document("api::article.article", {
    key: "slug",
    data: inFull(story.en),
    translations: story.de ? { de: inFull(story.de) } : {},
    ...(story.draft ? { draft: true } : {}),
  });
};

export default defineSeed(async (context) => {
  const files = await idsOf(
    pictures,
    ({ name }) => name,
    ({ name, alternativeText }) => context.file(`pictures/${name}`, { alternativeText }),
  );
  const documents = {
    authors: await idsOf(
      authors,
      ({ slug }) => slug,
      (author) =>
        context.document("api::author.author", { key: "slug", data: { ...author, portrait: files[author.portrait] } }),
    ),
    categories: await idsOf(
      categories,
      ({ slug }) => slug,
      ({ slug, en, de }) =>
        context.document("api::category.category", {
          key: "slug",
          data: { ...en, slug },
          translations: { de: { ...de, slug } },
        }),
    ),
    tags: await idsOf(
      tags,
      ({ slug }) => slug,
      (tag) => context.document("api::tag.tag", { key: "slug", data: tag }),
    ),
  };
  const written: Record<string, string> = {};
  for (const story of stories) {
    written[story.slug] = await seedStory(context, story, files, { ...documents, stories: written });
  }
  await seedPages(context, files, written);
});
