/** Declarations that the compiler takes, because types of one shape are one to it, but that no descriptor backs. */
import { expect, test } from "vitest";
import { configSchema } from "../../../runtime/config/config.ts";
import type { BuilderOf } from "../../../runtime/graphql/builder.ts";
import { createGraphqlSchema } from "../../../runtime/graphql/create-schema.ts";
import type { DocumentFields } from "../../../runtime/schema/content-type.ts";
import { author, category } from "../query/content.ts";

type Anything = DocumentFields & Record<string, never>;
type Builder = BuilderOf<Record<"Author" | "Category", Anything>>;
type Fields = Parameters<Builder["contentType"]>[1]["fields"];

const schemaWith = (fields: Fields) => {
  const declare = (builder: Builder): void => {
    builder.contentType("Author", { type: author, fields });
    builder.contentType("Category", { type: category, fields: (t) => ({ name: t.exposeString("name") }) });
    builder.queryFields((t) => ({ authors: t.findMany("Author", { can: "api::author.author.find" }) }));
  };
  return createGraphqlSchema({ types: [author, category], modules: [declare as never] }, configSchema.parse({}));
};

test.each<[string, Fields]>([
  [
    "Author.boss leads to api::author.author, not to api::category.category",
    (t) => ({ boss: t.relation("boss", "Category") }),
  ],
  ["Author.headline: there is no such attribute", (t) => ({ headline: t.exposeString("headline") })],
  ["the field name exposes age, and attributes keep their names", (t) => ({ name: t.exposeString("age") })],
])("%s", (message, fields) => {
  expect(() => schemaWith(fields)).toThrow(message);
  expect(() => schemaWith((t) => ({ name: t.exposeString("name") }))).not.toThrow();
});
