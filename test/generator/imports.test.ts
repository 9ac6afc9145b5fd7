import { expect, test } from "vitest";
import { Imports } from "../../generator/emit/imports.ts";

test("names are sorted, and modules too: packages, folders above, the same folder", () => {
  const imports = new Imports("article/type.ts", []);
  imports.value("./table.ts", "articles");
  imports.type("../author/document.ts", "Author");
  imports.value("galley-cms/content-type", "defineContentType");
  imports.value("drizzle-orm/pg-core", "varchar");
  imports.type("drizzle-orm/pg-core", "AnyPgColumn");
  imports.value("drizzle-orm/pg-core", "json");
  expect(imports.toString()).toBe(
    [
      'import { type AnyPgColumn, json, varchar } from "drizzle-orm/pg-core";',
      'import { defineContentType } from "galley-cms/content-type";',
      'import type { Author } from "../author/document.ts";',
      'import { articles } from "./table.ts";',
      "",
    ].join("\n"),
  );
});

test("a name that is used as a type and as a value is imported once, as a value", () => {
  const imports = new Imports("a.ts", []);
  imports.type("x", "A");
  imports.value("x", "A");
  imports.type("x", "A");
  expect(imports.toString()).toBe('import { A } from "x";\n');
});

test("a name that the file declares itself is imported under another one", () => {
  const imports = new Imports("a.ts", ["File", "json"]);
  expect(imports.type("galley-cms/content-type", "File")).toBe("ContentTypeFile");
  expect(imports.value("drizzle-orm/pg-core", "json")).toBe("pgCoreJson");
  expect(imports.toString()).toContain("json as pgCoreJson");
});

test("the same name from two modules stays apart, and keeps its meaning", () => {
  const imports = new Imports("a/b.ts", []);
  expect(imports.type("../tag/document.ts", "Tag")).toBe("Tag");
  expect(imports.type("../other/document.ts", "Tag")).toBe("DocumentTag");
  expect(imports.type("../third/document.ts", "Tag")).toBe("DocumentTag2");
  expect(imports.type("../other/document.ts", "Tag")).toBe("DocumentTag");
});

test("a list that exceeds the line stands one name a line", () => {
  const imports = new Imports("a.ts", []);
  for (const letter of "abcdefgh") imports.value("galley-cms/columns", `aRatherLongName${letter.toUpperCase()}`);
  const lines = imports.toString().split("\n");
  expect(lines[0]).toBe("import {");
  expect(lines[1]).toBe("  aRatherLongNameA,");
  expect(lines.at(-2)).toBe('} from "galley-cms/columns";');
});

test("generated files are found by their way from the importing file", () => {
  expect(new Imports("components/shared/seo.ts", []).module("article/document")).toBe("../../article/document.ts");
  expect(new Imports("article/type.ts", []).module("article/table")).toBe("./table.ts");
  expect(new Imports("index.ts", []).module("article/type")).toBe("./article/type.ts");
});
