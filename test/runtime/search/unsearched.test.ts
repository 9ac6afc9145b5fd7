/** What a schema file takes out of the search, from the file to the answer. */
import { expect, test } from "vitest";
import { configSchema } from "../../../runtime/config/config.ts";
import { createQueries, parseQuery, readMany } from "../../../runtime/query/index.ts";
import { documents } from "../../../runtime/schema/columns.ts";
import { createRegistry } from "../../../runtime/schema/registry.ts";
import { emptyFolder } from "../../support/cms.ts";
import { createTables } from "../../support/create-tables.ts";
import { freshDatabase } from "../../support/database.ts";
import { applicationOf } from "../../support/render-project.ts";
import { writeFiles } from "../../support/workspace.ts";
import { insert } from "../query/tables.ts";
import { reader } from "../query/world.ts";

const unsearched = { search: false };
const part = { type: "component", component: "shared.part" };
const zone = { type: "dynamiczone", components: ["shared.part"] };

const files: readonly [string, string][] = [
  [
    "content-types/page/schema.json",
    JSON.stringify({
      info: { singularName: "page", pluralName: "pages", displayName: "page" },
      attributes: {
        found: { type: "string" },
        left: { type: "string", ...unsearched },
        count: { type: "integer", ...unsearched },
        foundBlocks: { type: "blocks" },
        leftBlocks: { type: "blocks", ...unsearched },
        foundPart: part,
        leftPart: { ...part, ...unsearched },
        leftParts: { ...part, repeatable: true, ...unsearched },
        foundZone: zone,
        leftZone: { ...zone, ...unsearched },
      },
    }),
  ],
  [
    "content-types/components/shared/part.json",
    JSON.stringify({
      info: { displayName: "part" },
      attributes: {
        found: { type: "text" },
        left: { type: "text", ...unsearched },
        foundInner: { type: "component", component: "shared.inner" },
        leftInner: { type: "component", component: "shared.inner", ...unsearched },
      },
    }),
  ],
  [
    "content-types/components/shared/inner.json",
    JSON.stringify({ info: { displayName: "inner" }, attributes: { found: { type: "text" } } }),
  ],
];

const blocks = (text: string) => [{ type: "paragraph", children: [{ type: "text", text }] }];

const entry = (name: string) => ({
  found: `${name}-plain`,
  left: `${name}-quiet`,
  foundInner: { id: 2, found: `${name}-inner` },
  leftInner: { id: 3, found: `${name}-hushed` },
});

const row = {
  documentId: "one",
  createdAt: "2020-01-02 03:04:05.006",
  updatedAt: "2020-01-02 03:04:05.006",
  publishedAt: "2020-01-02 03:04:05.006",
  found: "loud",
  left: "silent",
  count: 4711,
  foundBlocks: blocks("loud blocks"),
  leftBlocks: blocks("silent blocks"),
  foundPart: entry("part"),
  leftPart: entry("mute"),
  leftParts: [entry("dumb")],
  foundZone: [{ __component: "shared.part", ...entry("zone") }],
  leftZone: [{ __component: "shared.part", ...entry("void") }],
};

test("what a schema file takes out of the search is not found, in components and zones neither", async () => {
  const folder = await emptyFolder();
  writeFiles(folder, files);
  const application = await applicationOf(folder);
  const page = application.contentTypes["api::page.page"]?.type;
  if (page === undefined) throw new Error("There is no page");
  const database = await freshDatabase("postgres");
  await createTables(database, { pages: page.table });
  await insert(database, documents, [{ documentId: "one", type: page.uid }]);
  await insert(database, page.table, [row]);
  const config = configSchema.parse({ search: { components: true, zoneFilters: true } });
  const services = { config, database, queries: createQueries(createRegistry(application), config, "a secret") };
  const isFound = async (words: string): Promise<boolean> => {
    const { pagination } = await readMany({ services, caller: reader }, page, parseQuery(`_q=${words}`));
    return pagination.total === 1;
  };
  const all = ["loud", "loud blocks", "part-plain", "part-inner", "zone-plain", "zone-inner"];
  const left = ["silent", "4711", "silent blocks", "part-quiet", "part-hushed", "zone-quiet", "zone-hushed"];
  for (const words of all) expect(await isFound(words), words).toBe(true);
  for (const words of [...left, "mute", "dumb", "void"]) expect(await isFound(words), words).toBe(false);
});
