/** A project's own fields, pages and actions in the panel. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import example from "../../generated/index.ts";
import { panelExtensions } from "../../runtime/app/loader/load-application.ts";
import { enteredPage, panelApp, violations } from "./panel-app.ts";

/** The file that the page of the documentation shows. */
const shownFile = async (): Promise<string> => {
  const page = await readFile("docs/build/panel-extensions.md", "utf8");
  return /```tsx\n(.*?)```/s.exec(page)?.[1] ?? "";
};

/** The example with such a file in its folder. */
const extended = async (text: string) => {
  const root = await mkdtemp(path.join(tmpdir(), "galley-panel-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(path.join(root, "panel"));
  await writeFile(path.join(root, "panel", "extensions.tsx"), text);
  return panelApp({}, { ...example, panelExtensions: await panelExtensions(root, true) });
};

test("a project's own field, page and action work like those of the panel, with one React and the same policy", async () => {
  const app = await extended(await shownFile());
  const token = await app.token();
  const data = { title: "Low water", slug: "low-water" };
  await app.send("POST", "/api/articles?status=draft", { token, body: { data } });
  const page = await enteredPage(app);
  await page.getByRole("link", { name: "Low water" }).click();
  await page.getByLabel("Excerpt").fill("Twice a day");
  await page.getByText("3 words").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Feature" }).click();
  await page.getByRole("alert").getByText("Featured", { exact: true }).waitFor();
  expect((await app.send("GET", "/api/articles?status=draft", { token })).body).toMatchObject({
    data: [{ excerpt: "Twice a day", featured: true }],
  });
  await expect.poll(() => page.getByRole("switch", { name: "Featured" }).isChecked()).toBe(true);

  // What was typed meanwhile is saved before the action, and is no conflict with oneself after it.
  await page.getByRole("switch", { name: "Featured" }).click({ force: true });
  await page.getByLabel("Excerpt").fill("Twice a day and a night");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Feature" }).click();
  await expect
    .poll(async () => (await app.send("GET", "/api/articles?status=draft", { token })).body)
    .toMatchObject({ data: [{ excerpt: "Twice a day and a night", featured: true }] });
  await expect.poll(() => page.getByRole("switch", { name: "Featured" }).isChecked()).toBe(true);
  await page.getByLabel("Excerpt").fill("Thrice");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect
    .poll(async () => (await app.send("GET", "/api/articles?status=draft", { token })).body)
    .toMatchObject({ data: [{ excerpt: "Thrice", featured: true }] });

  await page.getByRole("link", { name: "Report" }).click();
  await page.getByText("1 articles").waitFor();
  expect(await violations(page)).toEqual([]);
  // The published version that is not there yet.
  expect(page.errors.filter((error) => !error.includes("404"))).toEqual([]);
});

test("extensions that fail leave the panel without them, and say why", async () => {
  const app = await extended('throw new Error("no such shop");\nexport default {};\n');
  const page = await enteredPage(app);
  await page.getByText("The project's extensions of this panel are missing: no such shop").waitFor();
  await page.getByRole("link", { name: "Create Article" }).click();
  await page.getByRole("textbox", { name: "Excerpt" }).waitFor();
});

test("a file without a default export leaves the panel without it, and says so", async () => {
  const page = await enteredPage(await extended("export const fields = {};\n"));
  await page.getByText("panel/extensions.tsx has no `export default definePanel({ … })`").waitFor();
  await page.getByRole("link", { name: "Create Article" }).waitFor();
});

test("what needs an action is not shown to users who may not do it, and what is for another type is not either", async () => {
  const app = await extended(`
    import { definePanel, Page } from "galley-cms/panel";
    const Broken = () => { throw new Error("broken") };
    const run = async () => { throw new Error("The printer is on fire") };
    export default definePanel({
      fields: { "api::tag.tag.slug": Broken },
      pages: [{ path: "secret", title: "Secret", action: "api::tag.tag.nobody", Content: () => <Page title="Secret">…</Page> }],
      actions: [
        { label: "Print", run },
        { label: "Secret", action: "api::tag.tag.nobody", run },
        { label: "Elsewhere", types: ["api::article.article"], run },
      ],
    });
  `);
  const token = await app.token();
  await app.send("POST", "/api/tags", { token, body: { data: { name: "Sea", slug: "sea" } } });
  const page = await enteredPage(app);
  await page.getByRole("link", { name: "Tag" }).click();
  await page.getByRole("link", { name: "Sea" }).click();
  // The field that fails; the others go on.
  await page.getByText("This field could not be shown.").waitFor();
  await page.getByRole("textbox", { name: "Name" }).fill("Open sea");
  await page.getByRole("button", { name: "More actions" }).click();
  expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Print", "Delete"]);
  await page.getByRole("menuitem", { name: "Print" }).click();
  await page.getByText("The printer is on fire").waitFor();
  expect(await page.getByRole("link", { name: "Secret" }).count()).toBe(0);
  // What was typed was saved before, and the next save is no conflict with that.
  expect((await app.send("GET", "/api/tags", { token })).body).toMatchObject({ data: [{ name: "Open sea" }] });
  await page.getByRole("textbox", { name: "Name" }).fill("Deep sea");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  expect((await app.send("GET", "/api/tags", { token })).body).toMatchObject({ data: [{ name: "Deep sea" }] });
});
