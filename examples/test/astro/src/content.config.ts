import { generateCollections } from "@sensinum/astro-strapi-loader";
import { z } from "astro/zod";
import { defineCollection } from "astro:content";
import { strapiLoader } from "strapi-community-astro-loader";

const url = process.env.CMS_URL ?? "";
const token = process.env.CMS_TOKEN ?? "";
const query = { populate: { cover: true, author: true }, pagination: { pageSize: 100 } };

export const collections = {
  ...(await generateCollections({ url, token }, [
    { name: "articles", query },
    { name: "global", query: { populate: "logo" } },
  ])),
  tags: defineCollection({
    loader: strapiLoader({ contentType: "tag", clientConfig: { baseURL: `${url}/api`, auth: token }, pageSize: 2 }),
    schema: z.object({ name: z.string(), slug: z.string() }),
  }),
};
