/** The two single types: what is on every page, and the home page. */
import type { SeedContext } from "galley-cms";
import type { Ids } from "./ids.ts";

const favourites = ["the-last-rope-walk", "soup-for-forty", "the-lighthouse-library"];

export const seedPages = async ({ document }: SeedContext, files: Ids<number>, stories: Ids<string>): Promise<void> => {
  const articles = favourites.map(stories);
  const image = files("harbour-morning.webp");

  await document("api::global.global", {
    data: {
      siteName: "Quayside",
      tagline: "Stories from the edge of the sea",
      logo: files("logo.png"),
      navigation: [
        { label: "Food", url: "/categories/food" },
        { label: "Craft", url: "/categories/craft" },
        { label: "Places", url: "/categories/places" },
        { label: "Science", url: "/categories/science" },
      ],
      footer: "Quayside appears when the wind allows it.",
      defaultSeo: { metaTitle: "Quayside", metaDescription: "A small magazine about the edge of the sea.", image },
    },
  });

  await document("api::homepage.homepage", {
    data: {
      title: "Quayside",
      sections: [
        {
          __component: "blocks.hero",
          heading: "Stories from the edge of the sea",
          text: "Twelve long reads about people who live with the tide.",
          image,
          links: [{ label: "Start reading", url: "/articles/the-last-rope-walk" }],
        },
        { __component: "blocks.articles", heading: "Our favourites", articles },
        {
          __component: "blocks.quote",
          text: "Look out of the window as well.",
          attribution: "Last page of the tide table, since 1936",
        },
        {
          __component: "blocks.gallery",
          caption: "Pictures of this issue",
          images: [files("night-ferry.webp"), files("mudflats.webp"), files("winter-swimmers.webp")],
        },
      ],
      seo: { metaTitle: "Quayside", metaDescription: "A small magazine about the edge of the sea.", image },
    },
    translations: {
      de: {
        title: "Quayside",
        sections: [
          {
            __component: "blocks.hero",
            heading: "Geschichten vom Rand des Meeres",
            text: "Elf lange Texte über Menschen, die mit der Tide leben.",
            image,
            links: [{ label: "Lesen", url: "/de/articles/the-last-rope-walk" }],
          },
          { __component: "blocks.articles", heading: "Unsere Lieblinge", articles },
          {
            __component: "blocks.quote",
            text: "Sehen Sie auch aus dem Fenster.",
            attribution: "Letzte Seite der Gezeitentafel, seit 1936",
          },
        ],
        seo: { metaTitle: "Quayside", metaDescription: "Ein kleines Magazin über den Rand des Meeres.", image },
      },
    },
  });
};
