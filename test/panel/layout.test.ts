/** How schema files decide what the panel shows, and where. */
import { expect, test } from "vitest";
import example from "../../generated/index.ts";
import german from "../../panel/src/i18n/de.json" with { type: "json" };
import english from "../../panel/src/i18n/en.json" with { type: "json" };
import type { Application } from "../../runtime/app/application.ts";
import type { TypeLayout } from "../../runtime/schema/layout.ts";
import { enteredPage, panelApp } from "./panel-app.ts";

const layout: TypeLayout = {
  title: "slug",
  columns: ["featured", "excerpt"],
  groups: ["Story", "Search engines"],
  fields: ["tags", "author"],
  icon: "book",
  order: 1,
  attributes: {
    title: { label: "Headline", help: "At most ten words.", placeholder: "What happened?", group: "Story", width: 8 },
    // A name that every object has, and the project no control for.
    slug: { group: "Story", width: 4, readOnly: true, field: "constructor" },
    gallery: { hidden: true },
    seo: { group: "Search engines" },
  },
};

/** The example, with a layout for articles. */
const application: Application = {
  ...example,
  contentTypes: Object.fromEntries(
    Object.entries(example.contentTypes).map(([uid, { type, ...module }]) => [
      uid,
      { ...module, type: uid === "api::article.article" ? { ...type, panel: layout } : type },
    ]),
  ),
};

/** The names of texts, each with the places for values in it. */
const shapeOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([name, text]) => [name, (text.match(/\{\w+\}/g) ?? []).toSorted()]);

test("the texts of the panel have the same names and the same places for values in each language", () => {
  expect(shapeOf(german)).toEqual(shapeOf(english));
});

test("labels, help, groups, widths, columns and order of a layout are those of the panel", async () => {
  const app = await panelApp({}, application);
  const token = await app.token();
  const data = { title: "Low water", slug: "low-water", excerpt: "Twice a day." };
  await app.send("POST", "/api/articles", { token, body: { data } });
  const described = await app.send("GET", "/api/panel", { token });
  const { contentTypes } = (described.body as { data: { contentTypes: { uid: string; panel: object }[] } }).data;
  expect(contentTypes.find(({ uid }) => uid === "api::article.article")).toMatchObject({
    panel: { title: "slug", columns: ["featured", "excerpt"], icon: "book", order: 1 },
    attributes: { title: { panel: { label: "Headline", width: 8 } } },
  });

  const page = await enteredPage(app);
  const heads = page.getByRole("columnheader");
  await expect
    .poll(() => heads.allInnerTexts())
    .toEqual(["", "Slug", "Featured", "Excerpt", "Languages", "State", "Changed"]);
  await page.getByRole("link", { name: "low-water" }).click();
  const headline = page.getByRole("textbox", { name: "Headline" });
  await headline.waitFor();
  expect(await headline.getAttribute("placeholder")).toBe("What happened?");
  await page.getByText("At most ten words.").waitFor();
  expect(await page.getByRole("heading", { level: 2 }).allInnerTexts()).toEqual(
    expect.arrayContaining(["Story", "Search engines"]),
  );
  const some = page.locator("#field-excerpt, #field-tags, #field-author");
  const order = await some.evaluateAll((fields) => fields.map(({ id }) => id));
  expect(order).toEqual(["field-tags", "field-author", "field-excerpt"]);
  const story = page.getByRole("region", { name: "Story" });
  const slug = story.getByRole("textbox", { name: "Slug" });
  expect(await slug.getAttribute("readonly")).not.toBeNull();
  const [left, right] = [await headline.boundingBox(), await slug.boundingBox()];
  expect(right?.x ?? 0).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));
  expect(await page.getByText("Gallery", { exact: true }).count()).toBe(0);
  // A fault of a field that is not shown has no place in the form.
  const errors = [{ path: ["gallery"], name: "ValidationError", message: "gallery must have a picture", value: [] }];
  const error = { status: 400, name: "ValidationError", message: "gallery must have a picture", details: { errors } };
  await page.route("**/api/articles/*", (route) =>
    route.request().method() === "PUT" ? route.fulfill({ status: 400, json: { data: null, error } }) : route.continue(),
  );
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("Gallery: Must have a picture").waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  const column = async (): Promise<number> =>
    ((await slug.boundingBox())?.x ?? 0) - ((await headline.boundingBox())?.x ?? 0);
  await expect.poll(column).toBe(0);
  expect(page.errors.filter((text) => !text.includes("400"))).toEqual([]);
});
