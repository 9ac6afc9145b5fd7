/** What loaders of static sites ask of content types and components. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ExampleApp, exampleApp, exampleDatabase } from "../support/example-app.ts";

let app: ExampleApp;
let token: string;

beforeAll(async () => {
  app = await exampleApp(afterAll, await exampleDatabase(afterAll));
  token = await app.token();
});

const TYPES = "/api/content-type-builder/content-types";
const COMPONENTS = "/api/content-type-builder/components";

test("who may is told what content types and components are declared, as in their schema files", async () => {
  const { status, body } = await app.send("GET", `${TYPES}/api::article.article`, { token });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    data: {
      uid: "api::article.article",
      apiID: "article",
      schema: {
        kind: "collectionType",
        singularName: "article",
        pluralName: "articles",
        collectionName: "articles",
        displayName: "Article",
        draftAndPublish: true,
        pluginOptions: { i18n: { localized: true } },
        attributes: {
          title: { type: "string", required: true, maxLength: 120, pluginOptions: { i18n: { localized: true } } },
          cover: { type: "media", multiple: false, allowedTypes: ["images"] },
          author: {
            type: "relation",
            relation: "manyToOne",
            target: "api::author.author",
            targetAttribute: "articles",
          },
          related: { type: "relation", relation: "oneToMany", targetAttribute: null },
          sections: { type: "dynamiczone", components: ["blocks.text", "blocks.quote", "blocks.gallery"] },
          seo: { type: "component", component: "shared.seo", repeatable: false },
        },
      },
    },
  });
  const list = await app.send("GET", TYPES, { token });
  expect(list.body).toMatchObject({ data: expect.arrayContaining([Object(body).data]) });
  // The length that every text of one line may have is no option of the schema file.
  expect(JSON.stringify(list.body)).not.toContain('"maxLength":255');
  const file = { uid: "plugin::upload.file", plugin: "upload" };
  expect(list.body).toMatchObject({ data: expect.arrayContaining([expect.objectContaining(file)]) });
  const seo = await app.send("GET", `${COMPONENTS}/shared.seo`, { token });
  expect(seo.body).toMatchObject({
    data: {
      uid: "shared.seo",
      category: "shared",
      apiId: "seo",
      schema: { displayName: "SEO", attributes: { metaTitle: { type: "string" } } },
    },
  });
  expect(Object(seo.body).data.schema).not.toHaveProperty("description");
  const home = await app.send("GET", `${TYPES}/api::homepage.homepage`, { token });
  expect(home.body).toMatchObject({
    data: { schema: { displayName: "Home page", description: "What visitors see first" } },
  });
  const all = await app.send("GET", COMPONENTS, { token });
  expect(all.body).toMatchObject({ data: expect.arrayContaining([Object(seo.body).data]) });
});

test("others are told nothing, and what is not declared is not there", async () => {
  const some = await app.token("plugin::content-type-builder.content-types.getContentType");
  const asked = [
    [TYPES, undefined, 403],
    [COMPONENTS, undefined, 403],
    [`${COMPONENTS}/shared.seo`, some, 403],
    [`${TYPES}/api::tag.tag`, some, 200],
    [`${TYPES}/api::nothing.nothing`, some, 404],
    [`${COMPONENTS}/no.such`, token, 404],
  ] as const;
  for (const [path, caller, expected] of asked) {
    const { status } = await app.send("GET", path, caller === undefined ? {} : { token: caller });
    expect(status, path).toBe(expected);
  }
});
