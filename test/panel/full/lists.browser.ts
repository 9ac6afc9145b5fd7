/** Lists of documents, and what is done with many at once. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import example from "../../../generated/index.ts";
import type { Application } from "../../../runtime/app/application.ts";
import { routesOf } from "../../runtime/history/versions-world.ts";
import { enteredPage, panelApp, picture, violations, withHistory } from "../panel-app.ts";

// Where cells are separated by semicolons, another one begins in the middle of it.
const FORMULA = '=HYPERLINK("https://example.com");=1+1';

test("a long list is paged, exported, kept as a view, published and deleted in bulk, and what was deleted comes back", async () => {
  const app = await panelApp({}, withHistory());
  const token = await app.token();
  for (let index = 1; index <= 12; index += 1) {
    const title = index === 12 ? FORMULA : `Article ${index}`;
    const body = { data: { title, slug: `a-${index}` } };
    const created = await app.send("POST", "/api/articles?status=draft", { token, body });
    const { documentId } = Object(created.body).data;
    if (index !== 11) continue;
    const german = { data: { title: "Elf", slug: "elf" } };
    await app.send("PUT", `/api/articles/${documentId}?status=draft&locale=de`, { token, body: german });
  }
  const page = await enteredPage(app);
  await page.goto(`${app.panel}/content/articles?size=10&sort=createdAt:desc`);
  await page.getByText("1–10 of 12").waitFor();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByText("11–12 of 12").waitFor();
  expect(await page.getByRole("link", { name: /^Article/ }).allInnerTexts()).toEqual([
    "Article",
    "Article 2",
    "Article 1",
  ]);
  // The address leads to the same page.
  await page.reload();
  await page.getByText("11–12 of 12").waitFor();
  await page.getByRole("button", { name: "First page" }).click();
  await page.getByText("1–10 of 12").waitFor();

  const exported = async (format: string): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page
        .getByRole("button", { name: "Export" })
        .click()
        .then(() => page.getByRole("menuitem", { name: format }).click()),
    ]);
    expect(download.suggestedFilename()).toBe(`articles.${format.toLowerCase()}`);
    return readFile(await download.path(), "utf8");
  };
  const csv = (await exported("CSV")).split("\r\n");
  expect(csv).toHaveLength(14);
  expect(csv[0]).toBe("\uFEFFDocument id,Title,Cover,Featured,Author,Locale,Updated at");
  expect(csv[1]).toContain(`,"'=HYPERLINK(""https://example.com"");'=1+1",,false,,en,`);
  expect(JSON.parse(await exported("JSON"))).toMatchObject([
    { title: FORMULA, featured: false, author: null },
    ...Array.from({ length: 11 }, () => ({})),
  ]);

  const waiting = Object(await app.send("GET", "/api/articles?status=draft&filters[title]=Article 3", { token })).body;
  const { documentId: third } = Object(waiting).data[0];
  const data = { publishAt: new Date(Date.now() + 3_600_000 * 24 * 40).toISOString() };
  await app.send("POST", `/api/articles/${third}/actions/schedule`, { token, body: { data } });
  await page.reload();
  await page.getByText("1–10 of 12").waitFor();
  const row = page.getByRole("row", { name: "Article 3" });
  await row.getByText(/^Goes live/).waitFor();
  expect(await page.getByText(/^Goes live/).count()).toBe(1);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.getByRole("combobox", { name: "State" }).click();
  await page.getByRole("option", { name: "Scheduled" }).click();
  await page.getByText("1–1 of 1").waitFor();
  expect(await page.getByRole("link", { name: /^Article \d/ }).allInnerTexts()).toEqual(["Article 3"]);
  // The list, what of it is published, and what is scheduled: never a request for each row.
  expect(requests.filter((url) => url.includes("/api/")).length).toBeLessThanOrEqual(3);
  expect(await violations(page)).toEqual([]);
  await page.goto(`${app.panel}/content/articles?size=10&sort=createdAt:desc`);

  await page.getByLabel("Search").fill("Article 1");
  await page.getByText("1–3 of 3").waitFor();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByLabel("Name for this view").fill("Ones");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.keyboard.press("Escape");
  await page.goto(`${app.panel}/content/articles`);
  await page.getByText("1–12 of 12").waitFor();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("button", { name: "Ones", exact: true }).click();
  await page.getByText("1–3 of 3").waitFor();

  await page.getByLabel("Select all").check();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("3 of 3 done").waitFor();
  const published = async () => Object(await app.send("GET", "/api/articles", { token })).body.meta.pagination.total;
  expect(await published()).toBe(3);
  await page.getByLabel("Select all").check();
  await page.getByRole("toolbar").getByRole("button", { name: "Unpublish" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Unpublish" }).click();
  await expect.poll(published).toBe(0);
  await expect.poll(() => page.getByLabel("Select all").isChecked()).toBe(false);
  await page.getByLabel("Select all").check();
  await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  // The list showed English only.
  expect((await app.send("GET", "/api/articles?status=draft&locale=de", { token })).body).toMatchObject({
    data: [{ title: "Elf" }],
  });
  await page.getByRole("button", { name: "Deleted" }).click();
  const dialog = page.getByRole("dialog", { name: "Deleted" });
  await dialog.getByRole("button", { name: "Restore it: Article 11" }).click();
  await dialog.getByRole("button", { name: "Restore it: Article 11" }).waitFor({ state: "hidden" });
  expect(await violations(page)).toEqual([]);
  const drafts = await app.send("GET", "/api/articles?status=draft&filters[title]=Article 11", { token });
  expect(drafts.body).toMatchObject({ data: [{ slug: "a-11" }] });
});

/** The example with a hundred types more. */
const withMany = (): Application => {
  const tag = example.contentTypes["api::tag.tag"];
  if (!tag) throw new Error("the example has no tags");
  const things = Array.from({ length: 100 }, (_none, index): [string, object] => {
    const name = `thing-${index}`;
    const type = {
      ...tag.type,
      uid: `api::${name}.${name}` as const,
      singularName: name,
      pluralName: `${name}s`,
      displayName: `Thing ${index}`,
    };
    return [type.uid, { type, validator: tag.validator, routes: routesOf(type) }];
  });
  return { ...example, contentTypes: { ...example.contentTypes, ...Object.fromEntries(things) } };
};

test("among a hundred types, one is found by its name, and an upload that breaks keeps the others", async () => {
  const app = await panelApp({}, withMany());
  const page = await enteredPage(app);
  const links = page.getByRole("navigation").getByRole("link", { name: /^Thing/ });
  await expect.poll(() => links.count()).toBe(100);
  await page.getByLabel("Find a type").fill("thing 4");
  await expect.poll(() => links.count()).toBe(11);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Thing 42" }).click();
  await page.getByRole("heading", { level: 1, name: "Thing 42" }).waitFor();
  await page.getByLabel("Find a type").fill("");

  await page.getByRole("link", { name: "Media" }).click();
  await page.getByRole("heading", { name: "No files yet" }).waitFor();
  await page.route("**/api/upload", (route) =>
    route.request().postDataBuffer()?.includes("broken.svg") ? route.abort() : route.continue(),
  );
  const names = ["one.svg", "broken.svg", "two.svg"];
  await page
    .locator("input[type=file]")
    .setInputFiles(names.map((name) => ({ name, mimeType: "image/svg+xml", buffer: Buffer.from(picture("teal")) })));
  await page.getByText("The server does not answer.").waitFor();
  await page.getByRole("button", { name: "one.svg" }).waitFor();
  await page.getByRole("button", { name: "two.svg" }).waitFor();
  expect(await page.getByRole("button", { name: "broken.svg" }).count()).toBe(0);
  await page.getByRole("status").waitFor({ state: "hidden" });
});
