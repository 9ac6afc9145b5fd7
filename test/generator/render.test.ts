import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { mentionedNames } from "../../generator/emit/imports.ts";
import { render } from "../../generator/emit/render.ts";
import { isReservedWord } from "../../generator/model/names.ts";
import { ADDED_TO, GLOBALS, IN_TEMPLATES } from "../../generator/model/reserved.ts";
import { repository } from "../support/cms.ts";

const view = {
  source: "x.json",
  routesConst: "articleRoutes",
  typeConst: "article",
  uid: "api::article.article",
  path: "articles",
  single: false,
  schedule: false,
  history: "",
  draftAndPublish: false,
};

test("a template is filled in without escaping", () => {
  expect(render("rest.ts", { ...view, source: "a<b>&c.json" })).toContain("from a<b>&c.json.");
});

test.each(Object.keys(view))("a view model without %s is an error", (name) => {
  const { [name]: _left, ...rest }: Record<string, unknown> = view;
  expect(() => render("rest.ts", rest)).toThrow("templates/rest.ts.hbs cannot be rendered");
});

const folder = path.join(repository, "templates");
const templates = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".hbs"));

const CHOSEN_PROPERTY = /\.\{\{#if \w+\}\}(\w+)\{\{else\}\}(\w+)\{\{\/if\}\}/g;

/** The names that a template imports, and those that its own text mentions. */
const namesIn = (template: string): ReadonlySet<string> => {
  const text = readFileSync(path.join(folder, template), "utf8").replaceAll(/\{\{!--.*?--\}\}/gs, "");
  const imported = [...text.matchAll(/^import (?:type )?\{ (.*) \} from/gm)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().replace(/^type /, "")),
  );
  const own = mentionedNames(text.replaceAll(CHOSEN_PROPERTY, ".$1.$2").replaceAll(/\{\{.*?\}\}/gs, '""'));
  return new Set([...imported, ...own]);
};

test.each(templates)("no generated name can be taken for one of %s", (template) => {
  const reserved = new Set([...IN_TEMPLATES, ...ADDED_TO, ...GLOBALS]);
  expect([...namesIn(template)].filter((name) => !reserved.has(name) && !isReservedWord(name))).toEqual([]);
});
