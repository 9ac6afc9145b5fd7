/** What `client/index.ts` calls the content types of a project, and names that would hide others. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { emit } from "../../generator/emit/emit.ts";
import { formattedFiles } from "../../generator/emit/format.ts";
import { ADDED_TO } from "../../generator/model/reserved.ts";
import { emptyFolder, repository } from "../support/cms.ts";
import { loadModel } from "../support/load-model.ts";

const schema = (kind: string, singularName: string, pluralName: string, attributes: object) => ({
  kind,
  collectionName: `${pluralName.replaceAll("-", "_")}_of_ours`,
  info: { singularName, pluralName, displayName: singularName },
  options: { draftAndPublish: kind === "singleType" },
  attributes,
});

const models = [
  schema("collectionType", "file", "files", {
    secret: { type: "relation", relation: "oneToOne", target: "api::status.status", private: true },
  }),
  schema("collectionType", "blog-post", "blog-posts", { title: { type: "string" } }),
  schema("singleType", "status", "statuses", { title: { type: "string" } }),
  schema("singleType", "auth-page", "auth-pages", { title: { type: "string" } }),
];

const rendered = async (client: boolean) => {
  const root = await emptyFolder();
  for (const model of models) {
    const folder = path.join(root, "content-types", model.info.singularName);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "schema.json"), JSON.stringify(model));
  }
  const { model } = await loadModel(root);
  const files = await formattedFiles(emit(model, { toRoot: "..", client, graphql: { format: "entity" } }));
  return new Map(files.map(({ path: file, text }) => [file, text]));
};

test("every content type is a line of the client, and none takes the place of what every client has", async () => {
  const client = (await rendered(true)).get("client/index.ts") ?? "";
  expect(client.slice(client.indexOf("defineClient({"))).toBe(`defineClient({
  authPage: singleWithDrafts<"api::auth-page.auth-page">("auth-page"),
  blogPosts: collection<"api::blog-post.blog-post">("blog-posts"),
  filesType: collection<"api::file.file">("files"),
  status: singleWithDrafts<"api::status.status">("status"),
  auth: auth<"plugin::users-permissions.user">(),
  files: files(),
  locales: locales(),
  users: users<"plugin::users-permissions.user">(),
});
`);
  expect([...(await rendered(false)).keys()].filter((file) => file.startsWith("client/"))).toEqual([]);
});

test("an interface is not called like a type of the module that it is added to", async () => {
  const files = await rendered(true);
  expect(files.get("file/document.ts")).toContain("export interface FileDocument extends");
  expect(files.get("status/document.ts")).toContain("input: validators.StatusDocumentInput;");
  // A private relation imports nothing.
  expect(files.get("file/document.ts")).not.toContain("../status/");
  const declared = ["runtime/schema/document.ts", "runtime/graphql/builder.ts"].flatMap((file) =>
    [...readFileSync(path.join(repository, file), "utf8").matchAll(/^export (?:interface|type) (\w+)/gm)].map(
      ([, name = ""]) => name,
    ),
  );
  expect(declared.toSorted()).toEqual(ADDED_TO.toSorted());
});
