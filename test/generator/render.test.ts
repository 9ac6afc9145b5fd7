import { expect, test } from "vitest";
import { render } from "../../generator/emit/render.ts";

const view = {
  source: "x.json",
  imports: "",
  interface: "Article",
  bases: "DocumentFields",
  uid: '"api::article.article"',
  input: "ArticleInput",
  fields: ["title: string;"],
};

test("a template is filled in without escaping", () => {
  expect(render("document.ts", { ...view, fields: ["tags?: Array<Tag> & {};"] })).toContain("Array<Tag> & {};");
});

test.each(["source", "imports", "interface", "bases", "uid", "input", "fields"])(
  "a view model without %s is an error",
  (name) => {
    const { [name]: _left, ...rest }: Record<string, unknown> = view;
    expect(() => render("document.ts", rest)).toThrow("templates/document.ts.hbs cannot be rendered");
  },
);
