/** The versions of a document in the panel, and what will happen to it. */
import { expect, test } from "vitest";
import { enteredPage, panelApp, violations, withHistory } from "../panel-app.ts";

test("a writer sees what a publication will change, schedules it, and restores an earlier version", async () => {
  const app = await panelApp({}, withHistory());
  const token = await app.token();
  const path = "/api/articles";
  const first = { title: "Low water", slug: "low-water", excerpt: "The tide leaves twice a day." };
  const { body } = await app.send("POST", path, { token, body: { data: first } });
  const { documentId } = (body as { data: { documentId: string } }).data;
  const page = await enteredPage(app);
  await page.goto(`${app.panel}/content/articles/${documentId}`);
  await page.getByRole("textbox", { name: "Excerpt" }).fill("The tide leaves three times a day.");

  // What is typed counts, too: publishing saves it.
  await page.getByRole("button", { name: "What will change" }).click();
  const change = page.getByRole("dialog", { name: "What will change" }).getByRole("region", { name: "Excerpt" });
  await change.locator("del", { hasText: "twice" }).waitFor();
  await change.locator("ins", { hasText: "three times" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();

  await page.getByLabel("Publish at", { exact: true }).fill("2040-01-31T08:00");
  await page.getByRole("button", { name: "Set", exact: true }).click();
  await page.getByText("Scheduled", { exact: true }).waitFor();
  const draft = await app.send("GET", `${path}/${documentId}?status=draft`, { token });
  expect(draft.body).toMatchObject({ meta: { schedule: { publishAt: expect.stringMatching(/^2040-01-31T/) } } });

  await page.getByRole("button", { name: "History" }).click();
  const history = page.getByRole("dialog", { name: "History" });
  await history.getByRole("button", { name: /Changed · you/ }).waitFor();
  expect(await violations(page)).toEqual([]);
  await history.getByRole("button", { name: /Created/ }).click();
  await history.locator("del", { hasText: "twice" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await history.getByRole("button", { name: "Restore this version" }).click();
  await history.waitFor({ state: "hidden" });
  await expect
    .poll(() => page.getByRole("textbox", { name: "Excerpt" }).inputValue())
    .toBe("The tide leaves twice a day.");
  expect((await app.send("GET", `${path}/${documentId}?status=draft`, { token })).body).toMatchObject({ data: first });
  expect(page.errors).toEqual([]);
});
