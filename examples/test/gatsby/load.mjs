// What Gatsby gives a source plugin, as far as this one asks for it.
import { createHash } from "node:crypto";
import { createRequire } from "node:module";

const { sourceNodes } = createRequire(import.meta.url)("gatsby-source-strapi/gatsby-node.js");

const nodes = new Map();
const kept = new Map();
const digest = (value) => createHash("md5").update(JSON.stringify(value)).digest("hex");
const cache = { get: async (key) => kept.get(key), set: async (key, value) => kept.set(key, value) };
const gatsby = {
  actions: {
    createNode: async (node) => nodes.set(node.id, node),
    deleteNode: ({ id }) => nodes.delete(id),
    touchNode: () => undefined,
  },
  createContentDigest: digest,
  createNodeId: digest,
  reporter: {
    info: () => undefined,
    panic(message, cause) {
      throw new Error(message, { cause });
    },
  },
  cache,
  getCache: () => cache,
  store: {},
  getNodes: () => [...nodes.values()],
  getNode: (id) => nodes.get(id),
};

const whole = { populate: "*" };
const load = () =>
  sourceNodes(gatsby, {
    apiURL: process.env.CMS_URL,
    accessToken: process.env.CMS_TOKEN,
    skipFileDownloads: true,
    collectionTypes: [
      {
        singularName: "article",
        queryParams: {
          populate: { cover: "*", author: true, sections: whole, seo: whole },
          pagination: { pageSize: 5 },
        },
      },
      "author",
    ],
    singleTypes: [{ singularName: "homepage", queryParams: { populate: { sections: whole } } }],
  });

const types = () => {
  const counts = {};
  for (const { internal } of nodes.values()) counts[internal.type] = (counts[internal.type] ?? 0) + 1;
  return counts;
};

await load();
const first = types();
await load();
console.log(JSON.stringify({ first, again: types(), nodes: [...nodes.values()] }));
