/** What comes along with content: its locales into the configuration, the layouts of its editors into schema files. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { atEndOfTest, cms, cmsOutput } from "../support/cms.ts";
import { content } from "../support/exported-content.ts";
import { freshTables, generatedImportProject } from "../support/import-project.ts";
import { writeArchive } from "../support/strapi-archive.ts";

const root = await generatedImportProject(afterAll);
const file = path.join(root, "cms.config.ts");

const locale = (id: number, code: string) =>
  [
    "plugin::i18n.locale",
    id,
    { documentId: `l${String(id).padStart(23, "0")}`, code, name: code, locale: null },
  ] as const;

test("locales of an export are written into a configuration that names none, and a dry run writes nothing", async () => {
  await writeFile(
    file,
    'import { defineConfig } from "galley-cms";\n\nexport default defineConfig({\n  rest: { drafts: "find" },\n});\n',
  );
  await freshTables(root, atEndOfTest);
  const archive = path.join(root, "locales.tar.gz");
  await writeArchive(archive, {
    ...content,
    entities: [...content.entities, locale(1, "en"), locale(2, "fr"), locale(3, '"], x: [`')],
    configuration: [{ type: "core-store", value: { key: "plugin_i18n_default_locale", value: "fr" } }],
  });
  const before = await readFile(file, "utf8");
  expect((await cms(root, ["import", archive, "--dry-run"])).stdout).not.toContain("its locale is none");
  expect(await readFile(file, "utf8")).toBe(before);

  const { stdout } = await cms(root, ["import", archive]);
  expect(stdout).toContain("cms.config.ts names the locales of the content now: fr, en");
  expect(stdout).not.toContain("its locale is none");
  expect(await readFile(file, "utf8")).toContain(
    'locales: { default: "fr", codes: ["fr", "en"] }, // the imported content',
  );
  await cmsOutput(root, ["generate"]);
  // A configuration that names locales stays as it is.
  const after = await readFile(file, "utf8");
  await cms(root, ["import", archive]);
  expect(await readFile(file, "utf8")).toBe(after);
});

const PREFIX = "plugin_content_manager_configuration";

/** A field as the content manager stores it. */
const field = (name: string, edit: object = {}) => ({
  [name]: {
    edit: { label: name, description: "", placeholder: "", visible: true, editable: true, ...edit },
    list: { label: name, searchable: true, sortable: true },
  },
});

const stored = (key: string, mainField: string, fields: readonly object[], layouts: object) => ({
  type: "core-store",
  value: {
    key: `${PREFIX}_${key}`,
    type: "object",
    value: JSON.parse(
      JSON.stringify({ settings: { mainField, pageSize: 10 }, metadatas: Object.assign({}, ...fields), layouts }),
    ),
  },
});

const layoutOfPages = stored(
  "content_types::api::page.page",
  "slug",
  [
    { id: { edit: {}, list: { label: "id" } } },
    field("title", { label: "Überschrift", description: 'One line, "quoted".', placeholder: "Ebbe" }),
    field("slug", { editable: false }),
    field("views"),
    field("stamp"),
    field("summary", { label: "Abstract", description: "Two sentences." }),
    field("cover"),
    field("author"),
    field("sections"),
    field("gone", { label: "An attribute that is no more" }),
    field("createdAt", { visible: false }),
  ],
  {
    list: ["id", "slug", "stamp", "author", "sections", "gone"],
    edit: [
      [
        { name: "slug", size: 5 },
        { name: "title", size: 6 },
      ],
      [{ name: "gone", size: 6 }],
      [{ name: "summary", size: 12 }],
      [
        { name: "cover", size: 6 },
        { name: "author", size: 6 },
      ],
      [{ name: "sections", size: 12 }],
    ],
  },
);

const unchanged = (uid: string, name: string) =>
  stored(uid, "id", [field(name)], { list: ["id", name], edit: [[{ name, size: 6 }]] });

/** The lines that were added; fails if another line is not as it was, but for a comma. */
const addedTo = (before: string, after: string): readonly string[] => {
  const old = before.split("\n");
  const added = after.split("\n").filter((line) => {
    if (line.replace(/,$/, "") !== old[0]?.replace(/,$/, "")) return true;
    old.shift();
    return false;
  });
  expect(old).toEqual([]);
  return added;
};

test("labels and layouts of the content manager are added to schema files, which keep what they say", async () => {
  await freshTables(root, atEndOfTest);
  const [page, hero, quote] = ["page/schema", "components/blocks/hero", "components/blocks/quote"].map((name) =>
    path.join(root, "content-types", `${name}.json`),
  );
  if (page === undefined || hero === undefined || quote === undefined) throw new Error("unreachable");
  const schema = JSON.parse(await readFile(page, "utf8"));
  schema.attributes.summary.pluginOptions.panel = { label: "Summary of ours" };
  await writeFile(page, `${JSON.stringify(schema, undefined, 2)}\n`);
  await writeFile(hero, `${JSON.stringify(JSON.parse(await readFile(hero, "utf8")), undefined, "\t")}\r\n`);
  const texts = () => Promise.all([page, hero, quote].map((each) => readFile(each, "utf8")));
  const archive = path.join(root, "layouts.tar.gz");
  await writeArchive(archive, {
    ...content,
    configuration: [
      layoutOfPages,
      stored("components::blocks.hero", "heading", [field("heading", { label: "Claim" }), field("picture")], {
        list: ["id", "heading"],
        edit: [[{ name: "heading", size: 6 }]],
      }),
      unchanged("components::blocks.quote", "text"),
      unchanged("content_types::plugin::users-permissions.user", "username"),
      { type: "core-store", value: { key: `${PREFIX}_content_types::api::writer.writer`, value: "no layout" } },
    ],
  });
  const before = await texts();
  const dry = await cms(root, ["import", archive, "--dry-run"]);
  const line = "2 x labels and layouts of the panel:";
  expect(dry.stdout).toContain(`${line} come into the schema files`);
  expect(await texts()).toEqual(before);

  expect((await cms(root, ["import", archive])).stdout).toContain(`${line} are in the schema files now`);
  const after = await texts();
  expect(after[2]).toBe(before[2]);
  const [pageLines, heroLines] = [0, 1].map((index) => addedTo(before[index] ?? "", after[index] ?? ""));
  expect(pageLines?.filter((each) => each.includes("Abstract") || each.includes("gone"))).toEqual([]);
  expect(heroLines?.join("\n")).toContain('"label": "Claim"');
  const { options, attributes } = JSON.parse(after[0] ?? "");
  const panels = Object.entries(attributes as Record<string, { pluginOptions?: { panel?: object } }>).map(
    ([name, { pluginOptions }]) => [name, pluginOptions?.panel],
  );
  expect(options.panel).toEqual({
    title: "slug",
    columns: ["stamp", "author"],
    fields: ["slug", "title", "summary", "cover", "author", "sections"],
  });
  expect(Object.fromEntries(panels)).toEqual({
    title: { label: "Überschrift", help: 'One line, "quoted".', placeholder: "Ebbe", width: 6 },
    slug: { width: 4, readOnly: true },
    views: { hidden: true },
    stamp: { readOnly: true },
    summary: { label: "Summary of ours", help: "Two sentences." },
    cover: { width: 6 },
    author: { width: 6 },
    related: undefined,
    mentions: undefined,
    sections: undefined,
  });
  expect(JSON.parse(after[1] ?? "").attributes.picture.pluginOptions.panel).toEqual({ hidden: true });

  await cmsOutput(root, ["generate"]);
  expect((await cms(root, ["import", archive])).stdout).not.toContain("labels and layouts");
  expect(await texts()).toEqual(after);
});

test("a layout takes the place of options that are null, as is one that has none", async () => {
  await freshTables(root, atEndOfTest);
  const quote = path.join(root, "content-types", "components", "blocks", "quote.json");
  const { info } = JSON.parse(await readFile(quote, "utf8"));
  const text = { type: "text", pluginOptions: null };
  const by = { type: "string" };
  await writeFile(quote, JSON.stringify({ collectionName: "quotes", info, options: null, attributes: { text, by } }));
  const archive = path.join(root, "nulls.tar.gz");
  const configuration = [
    stored("components::blocks.quote", "text", [field("text", { label: "Words" }), field("by")], {
      list: ["id", "text"],
      edit: [[{ name: "by", size: 6 }], [{ name: "text", size: 6 }]],
    }),
  ];
  await writeArchive(archive, { ...content, configuration });
  expect((await cms(root, ["import", archive])).stdout).toContain("1 x labels and layouts of the panel");
  expect(JSON.parse(await readFile(quote, "utf8"))).toMatchObject({
    options: { panel: { title: "text", fields: ["by", "text"] } },
    attributes: { text: { ...text, pluginOptions: { panel: { label: "Words" } } }, by },
  });
});
