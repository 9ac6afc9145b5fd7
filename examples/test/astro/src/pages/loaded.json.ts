import { getCollection } from "astro:content";

export const GET = async (): Promise<Response> => {
  const [articles, global, tags] = await Promise.all([
    getCollection("articles"),
    getCollection("global"),
    getCollection("tags"),
  ]);
  return Response.json({ articles, global, tags });
};
