/** Relations whose targets are created, looked at and linked without leaving the document, and its preview beside it. */
import { expect, test } from "vitest";
import { enteredPage, panelApp, violations } from "../panel-app.ts";

test("a tag is created while an article is written, shown on hover, and the preview follows each save", async () => {
  const previewUrl = "/admin/preview?id={documentId}&title={title}";
  const app = await panelApp({ panel: { title: "The Low Tide", previewUrl } });
  const token = await app.token();
  const { body } = await app.send("POST", "/api/articles", { token, body: { data: { title: "One", slug: "one" } } });
  const { documentId } = (body as { data: { documentId: string } }).data;
  const page = await enteredPage(app);
  await page.goto(`${app.panel}/content/articles/${documentId}`);
  await page.getByRole("textbox", { name: "Excerpt" }).fill("Typed before the tag.");

  await page.getByLabel("Tags", { exact: true }).fill("Harbour");
  await page.getByRole("option", { name: "Create “Harbour”" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Tag" });
  expect(await dialog.getByLabel("Name").inputValue()).toBe("Harbour");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("This is needed to publish.").waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "From Name" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Harbour" }).hover();
  await page.getByText("Slug: harbour").waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByRole("button", { name: "Preview", exact: true }).click();
  const frame = page.getByTitle("Preview");
  expect(await frame.getAttribute("sandbox")).not.toContain("allow-top-navigation");
  expect(await frame.getAttribute("src")).toBe(`/admin/preview?id=${documentId}&title=One`);
  await page.getByRole("textbox", { name: "Title" }).first().fill("Two");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect.poll(() => frame.getAttribute("src")).toBe(`/admin/preview?id=${documentId}&title=Two`);
  for (const [name, width] of [
    ["Phone", 390],
    ["Tablet", 768],
    ["Desktop", 1280],
  ] as const) {
    await page.getByText(name, { exact: true }).click();
    await expect.poll(() => frame.evaluate((element) => element.clientWidth)).toBe(width);
  }
  const stored = await app.send("GET", `/api/articles/${documentId}?status=draft&populate=tags`, { token });
  expect(stored.body).toMatchObject({
    data: { title: "Two", excerpt: "Typed before the tag.", tags: [{ name: "Harbour", slug: "harbour" }] },
  });
});
