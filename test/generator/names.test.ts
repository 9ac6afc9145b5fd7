import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { camelCase, pascalCase, snakeCase } from "../../generator/model/names.ts";
import { SYSTEM_TABLES } from "../../generator/model/reserved.ts";
import { nearest } from "../../runtime/base/did-you-mean.ts";
import * as systemTables from "../../runtime/schema/system-tables.ts";

test.each([
  ["article", "article", "Article"],
  ["blog-post", "blogPost", "BlogPost"],
  ["page404", "page404", "Page404"],
  ["h1-title", "h1Title", "H1Title"],
  ["foo2bar", "foo2Bar", "Foo2Bar"],
  ["up_users", "upUsers", "UpUsers"],
  ["metaTitle", "metaTitle", "MetaTitle"],
  ["SEOText", "seoText", "SeoText"],
])("%s is %s and %s in code", (name, camel, pascal) => {
  expect(camelCase(name)).toBe(camel);
  expect(pascalCase(name)).toBe(pascal);
});

test.each([
  ["title", "title"],
  ["metaTitle", "meta_title"],
  ["SEOText", "seo_text"],
  ["imageURL", "image_url"],
  ["line2", "line2"],
  ["line2Text", "line2_text"],
  ["meta-title", "meta_title"],
  ["HTML", "html"],
])("%s is the column %s", (name, column) => {
  expect(snakeCase(name)).toBe(column);
});

test("a suggestion is the closest name, and none when all are far off", () => {
  expect(nearest("titel", ["body", "title", "tile"])).toBe("title");
  expect(nearest("shared.soe", ["shared.box", "shared.seo"])).toBe("shared.seo");
  expect(nearest("minlength", ["maxLength", "minLength"])).toBe("minLength");
  expect(nearest("x", ["title"])).toBeUndefined();
  expect(nearest("title", [])).toBeUndefined();
});

test("every table of the server is kept apart from those of content types", () => {
  const tables = Object.values(systemTables).filter((table) => is(table, PgTable));
  expect(tables.length).toBeGreaterThan(0);
  expect(SYSTEM_TABLES).toEqual(expect.arrayContaining(tables.map((table) => getTableName(table))));
});
