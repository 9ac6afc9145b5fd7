/** The panel in a window and on a phone. With `PICTURES=1`, the pictures of docs/run/panel.md are taken anew. */
import path from "node:path";
import { expect, test } from "vitest";
import { repository } from "../support/cms.ts";
import { enteredPage, panelApp } from "./panel-app.ts";

declare const document: { readonly documentElement: { readonly scrollWidth: number } };

const TITLES = ["The harbour wakes", "Low water", "A letter from the lighthouse", "Nets, and how to mend them", "Fog"];

test("a list and an article are no wider than a window and a phone, light and dark", async () => {
  const app = await panelApp();
  const token = await app.token();
  const author = { data: { name: "Ida Brandt", slug: "ida-brandt" } };
  await app.send("POST", "/api/authors", { token, body: author });
  for (const [index, title] of TITLES.entries()) {
    const data = { title, slug: `story-${index}`, excerpt: "What the tide leaves behind." };
    await app.send("POST", `/api/articles?status=draft`, { token, body: { data } });
  }
  const page = await enteredPage(app);
  await page.getByRole("link", { name: "Low water" }).first().waitFor();
  const list = page.url();
  await page.getByRole("link", { name: "Low water" }).first().click();
  await page.getByRole("textbox", { name: "Title" }).first().waitFor();
  const places = [["list", list] as const, ["article", page.url()] as const];
  for (const [name, url] of places) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const size of [
        { width: 390, height: 844 },
        { width: 1200, height: 750 },
      ]) {
        await page.setViewportSize(size);
        await page.goto(url);
        await page.getByText("Low water").first().waitFor();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
      }
      if (process.env["PICTURES"] === undefined) continue;
      const file = path.join(repository, `docs/pictures/panel-${name}-${colorScheme}.jpg`);
      await page.screenshot({ path: file, type: "jpeg", quality: 75 });
    }
  }
});
