/** Code of a Strapi project is told of, and what nobody wrote is not. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { foreignCode } from "../../generator/schema/foreign-code.ts";
import { cms, emptyFolder } from "../support/cms.ts";
import { writeFiles } from "../support/workspace.ts";

const SCHEMA = JSON.stringify({
  kind: "collectionType",
  collectionName: "posts",
  info: { singularName: "post", pluralName: "posts", displayName: "Post" },
  attributes: { title: { type: "string" } },
});

const core = (kind: string): string => `/** a ${kind} */
import { factories } from '@strapi/strapi'

export default factories.createCore${kind}('api::post.post');
`;

const coreFour = `'use strict';

// from version 4
const { createCoreController } = require('@strapi/strapi').factories;

module.exports = createCoreController('api::post.post');
`;

const entry = `// import type { Core } from '@strapi/strapi';

export default {
  /** Runs first. */
  register(/* { strapi }: { strapi: Core.Strapi } */) {},
  bootstrap(/* { strapi }: { strapi: Core.Strapi } */) {},
};
`;

const untouched: readonly (readonly [string, string])[] = [
  ["src/api/post/controllers/post.ts", core("Controller")],
  ["src/api/post/services/post.ts", core("Service")],
  ["src/api/post/routes/post.ts", core("Router")],
  ["src/api/page/controllers/page.js", coreFour],
  ["src/index.ts", entry],
  ["src/admin/app.example.tsx", "export default {};"],
  ["src/extensions/.gitkeep", ""],
];

const written: readonly (readonly [string, string])[] = [
  [
    "src/api/post/controllers/post.ts",
    core("Controller").replace(
      "('api::post.post')",
      "('api::post.post', ({ strapi }) => ({ async find(ctx) { return strapi; } }))",
    ),
  ],
  [
    "src/api/post/content-types/post/lifecycles.js",
    "module.exports = { beforeCreate(event) { event.params.data.slug = 'a'; } };",
  ],
  [
    "src/api/post/routes/custom.js",
    "module.exports = { routes: [{ method: 'GET', path: '/posts/count', handler: 'post.count' }] };",
  ],
  ["src/api/post/policies/owner.ts", "export default () => true;"],
  ["src/middlewares/log.js", "module.exports = () => async (ctx, next) => next();"],
  ["src/extensions/users-permissions/strapi-server.js", "module.exports = (plugin) => plugin;"],
  ["src/plugins/search/server/index.js", "module.exports = {};x();"],
  ["src/index.ts", "export default { register() {}, async bootstrap({ strapi }) { await strapi.seed(); } };"],
];

const placed = async (...files: readonly (readonly (readonly [string, string])[])[]): Promise<string> => {
  const root = await emptyFolder();
  for (const each of files) writeFiles(root, each);
  return root;
};

const found = (root: string): readonly string[] =>
  foreignCode({ root, from: path.join(root, "src") }).map(({ place, message }) => `${place.file}: ${message}`);

test("what Strapi wrote, and nobody changed, is passed over", async () => {
  expect(found(await placed(untouched))).toEqual([]);
});

test("each file that somebody wrote is named, with what there is in its place", async () => {
  const files = found(await placed(untouched, written));
  expect(files.map((text) => text.split(":")[0]).toSorted()).toEqual(written.map(([file]) => file).toSorted());
  const root = await placed(written);
  expect(foreignCode({ root, from: root })).toHaveLength(written.length);
  expect(files).toContain(
    "src/api/post/content-types/post/lifecycles.js: a lifecycle of Strapi, which does not run here: use hooks of extension.ts for what it does",
  );
});

test("a folder in this project's own layout has none of it", async () => {
  const root = await placed([["src/article/controllers/x.ts", "export const x = 1;"]]);
  expect(found(root)).toEqual([]);
});

test("cms generate warns of it, and goes on", async () => {
  const root = await placed(written);
  writeFiles(root, [["src/api/post/content-types/post/schema.json", SCHEMA]]);
  writeFileSync(path.join(root, "cms.config.ts"), 'export default { generate: { from: "src" } };\n');
  const { code, stderr } = await cms(root, ["generate"]);
  expect(code).toBe(0);
  expect(stderr).toContain(
    "src/api/post/policies/owner.ts - warning CMS1012: a policy of Strapi, which does not run here: use policies of extension.ts for what it does",
  );
});
