/** Five tasks of an editorial office, with the clicks and keys that they take. The table is printed. */
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { applyPermissions, planPermissions } from "../../../runtime/accounts/roles/permission-plan.ts";
import { actionsByRole } from "../../../runtime/config/permissions.ts";
import { can } from "../../../runtime/index.ts";
import { openPage, type WatchedPage } from "../../support/browser.ts";
import { enteredPage, panelApp, PASSWORD, withHistory } from "../panel-app.ts";

const ARTICLE = "api::article.article";

const picture = (colour: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4" fill="${colour}"/></svg>`);

/** Hands that count what they do. */
const hands = (page: WatchedPage) => {
  let clicks = 0;
  let keys = 0;
  const start = performance.now();
  return {
    async click(target: Locator): Promise<void> {
      clicks += 1;
      await target.click();
    },
    async type(target: Locator, text: string): Promise<void> {
      await this.click(target);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
      keys += text.length + 1;
    },
    async choose(target: Locator, files: readonly { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
      // The button, and as many clicks in the dialog of the system.
      clicks += 1 + files.length;
      await target.setInputFiles([...files]);
    },
    counted: () => ({ clicks, keys, seconds: Math.round((performance.now() - start) / 100) / 10 }),
  };
};

test("an article is written, translated, corrected by two, restored, and a colleague for German is added", async () => {
  const german = ["find", "findOne", "readDraft", "update", "publish"].map((action) =>
    can(`${ARTICLE}.${action}`, { locales: ["de"] }),
  );
  const app = await panelApp(
    {
      panel: { title: "The Low Tide", roles: ["administrator", "german"] },
      permissions: { german },
    },
    withHistory(),
  );
  const { auth, actions, database } = app.services;
  // As `cms permissions apply` does.
  const plan = planPermissions(actionsByRole({ german }), auth.roles.all(), actions);
  await applyPermissions(database, auth.roles, plan);
  const token = await app.token();
  for (const [path, name] of [
    ["authors", "Ida Brandt"],
    ["tags", "Harbour"],
    ["tags", "Winter"],
  ] as const)
    await app.send("POST", `/api/${path}`, {
      token,
      body: { data: { name, slug: name.toLowerCase().replace(" ", "-") } },
    });
  const page = await enteredPage(app);
  const rows: Record<string, object> = {};
  const toast = (text: string) => page.getByText(text, { exact: true }).first();

  await page.goto(`${app.panel}/content/articles`);
  let hand = hands(page);
  await hand.click(page.getByRole("link", { name: "Create Article" }));
  await hand.type(page.getByRole("textbox", { name: "Title" }).first(), "Low water");
  await hand.click(page.getByRole("button", { name: "From Title" }));
  await hand.type(page.getByRole("textbox", { name: "Body" }), "The tide leaves twice a day.");
  const gallery = page.locator("#field-gallery");
  await hand.choose(gallery.locator("input[type=file]"), [
    { name: "one.svg", mimeType: "image/svg+xml", buffer: picture("teal") },
    { name: "two.svg", mimeType: "image/svg+xml", buffer: picture("navy") },
  ]);
  await gallery.getByText("two.svg").waitFor();
  for (const [label, name] of [
    ["Author", "Ida Brandt"],
    ["Tags", "Harbour"],
    ["Tags", "Winter"],
  ] as const) {
    await hand.click(page.getByLabel(label, { exact: true }));
    await hand.click(page.getByRole("option", { name, exact: true }));
  }
  await hand.click(page.getByRole("button", { name: "Add an entry" }));
  await hand.click(page.getByRole("menuitem", { name: "Quote" }));
  await hand.type(page.getByRole("textbox", { name: "Text" }), "You get used to wanting it.");
  await hand.click(page.getByRole("button", { name: "Publish" }));
  await page.waitForURL(/articles\/[a-z0-9]{24}/);
  rows["write and publish"] = hand.counted();
  const documentId = /articles\/([a-z0-9]{24})/.exec(page.url())?.[1] ?? "";
  const path = `/api/articles/${documentId}`;

  hand = hands(page);
  await hand.click(page.getByRole("button", { name: "de", exact: true }));
  await hand.click(page.getByRole("button", { name: "Copy from en" }));
  // What is typed before the copy is there is kept in its place.
  await gallery.getByText("two.svg").waitFor();
  await hand.type(page.getByRole("textbox", { name: "Title" }).first(), "Niedrigwasser");
  await hand.click(page.getByRole("button", { name: "Publish" }));
  await toast("Published").waitFor();
  await expect
    .poll(async () => (await app.send("GET", `${path}?locale=de`, { token })).body)
    .toMatchObject({ data: { title: "Niedrigwasser" } });
  rows["translate"] = hand.counted();

  await page.goto(`${app.panel}/content/articles/${documentId}`);
  const title = page.getByRole("textbox", { name: "Title" }).first();
  await title.waitFor();
  await app.send("PUT", path, { token, body: { data: { title: "Low water again" } } });
  hand = hands(page);
  await hand.type(title, "Lowest water");
  await hand.click(page.getByRole("button", { name: "Publish" }));
  await hand.click(page.getByRole("dialog").getByRole("button", { name: "Go on with this" }));
  await hand.click(page.getByRole("button", { name: "Publish" }));
  await expect
    .poll(async () => (await app.send("GET", path, { token })).body)
    .toMatchObject({ data: { title: "Lowest water" } });
  rows["correct in two editors"] = hand.counted();

  hand = hands(page);
  await hand.click(page.getByRole("button", { name: "History" }));
  await hand.click(page.getByRole("button", { name: /Created/ }).last());
  await page.locator("del", { hasText: "Low" }).waitFor();
  await hand.click(page.getByRole("button", { name: "Restore this version" }));
  await expect.poll(() => title.inputValue()).toBe("Low water");
  rows["find and restore a version"] = hand.counted();

  hand = hands(page);
  await hand.click(page.getByRole("link", { name: "Users" }));
  await hand.click(page.getByRole("button", { name: "Add a user" }));
  const dialog = page.getByRole("dialog");
  await hand.type(dialog.getByLabel("Name"), "greta");
  await hand.type(dialog.getByLabel("E-mail"), "greta@example.com");
  await hand.click(dialog.getByLabel("Role"));
  await hand.click(page.getByRole("option", { name: "german", exact: false }));
  await hand.click(dialog.getByRole("button", { name: "Save" }));
  const link = await page.getByRole("dialog", { name: "Link for greta" }).locator("code").innerText();
  rows["add a colleague"] = hand.counted();

  const colleague = await openPage();
  await colleague.goto(link);
  await colleague.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await colleague.getByLabel("Password again").fill(PASSWORD);
  await colleague.getByRole("button", { name: "Set password" }).click();
  await colleague.getByRole("link", { name: "Niedrigwasser" }).click();
  const hers = colleague.getByRole("textbox", { name: "Title" }).first();
  await hers.fill("Ebbe");
  await colleague.getByRole("button", { name: "Publish", exact: true }).click();
  await expect
    .poll(async () => (await app.send("GET", `${path}?locale=de`, { token })).body)
    .toMatchObject({ data: { title: "Ebbe" } });
  console.table(rows);
});
