/** The pages for whoever runs the server, and a colleague who may write German only. */
import { expect, onTestFinished, test } from "vitest";
import { applyPermissions, planPermissions } from "../../../runtime/accounts/roles/permission-plan.ts";
import { startFeatures } from "../../../runtime/app/features.ts";
import { actionsByRole } from "../../../runtime/config/permissions.ts";
import { can } from "../../../runtime/index.ts";
import { openPage, type WatchedPage } from "../../support/browser.ts";
import { SOON } from "../../support/soon.ts";
import { openReceiver } from "../../support/webhook-receiver.ts";
import { enteredPage, panelApp, PASSWORD, violations } from "../panel-app.ts";

const shots = process.env["PANEL_SHOTS"];
const shoot = async (page: WatchedPage, name: string): Promise<void> => {
  if (shots === undefined) return;
  await page.screenshot({ path: `${shots}/${name}-light.png` });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: `${shots}/${name}-dark.png` });
  await page.emulateMedia({ colorScheme: "light" });
};

test("tokens are made and revoked, roles are shown and changed, and no page of the server has a fault of axe", async () => {
  const app = await panelApp({
    permissions: { desk: ["api::tag.tag.find"] },
    panel: { roles: ["administrator", "desk"] },
  });
  const builders = { name: "Builders", type: "constructor", description: "" };
  await app.send("POST", "/api/users-permissions/roles", { token: await app.token(), body: builders });
  const page = await enteredPage(app);
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.getByRole("link", { name: "API tokens" }).click();
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("Name").fill("Website");
  await page.getByRole("combobox", { name: "May" }).click();
  await page.getByRole("option", { name: "What you choose" }).click();
  const tags = page.getByRole("group", { name: "Tag" });
  await tags.getByRole("checkbox", { name: "Find", exact: true }).check();
  expect(await violations(page)).toEqual([]);
  await shoot(page, "token-new");
  await page.getByRole("button", { name: "Create token" }).click();
  const secret = await page.getByRole("dialog", { name: "Website" }).locator("code").innerText();
  await shoot(page, "token-secret");
  expect((await app.send("GET", "/api/tags", { token: secret })).status).toBe(200);
  expect((await app.send("GET", "/api/authors", { token: secret })).status).toBe(403);
  await page.getByRole("button", { name: "Done" }).click();
  expect(await page.content()).not.toContain(secret);
  expect(await violations(page)).toEqual([]);
  await shoot(page, "tokens");
  await page.getByRole("button", { name: "Revoke: Website" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect.poll(async () => (await app.send("GET", "/api/tags", { token: secret })).status, SOON).toBe(401);

  await page.getByRole("link", { name: "Roles" }).click();
  await page.getByText("In the configuration").waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, "roles");
  await page.getByRole("link", { name: "Desk" }).click();
  await page.getByText("cms permissions apply").waitFor();
  expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
  await page.getByRole("link", { name: "Roles" }).first().click();
  await page.getByRole("link", { name: "Builders" }).click();
  await page.getByRole("button", { name: "Save" }).waitFor();
  await page.getByRole("link", { name: "Roles" }).first().click();
  await page.getByRole("link", { name: "Public" }).click();
  const authors = page.getByRole("group", { name: "Author" });
  await authors.getByRole("checkbox", { name: "Find", exact: true }).check();
  expect(await violations(page)).toEqual([]);
  await shoot(page, "role");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  await expect.poll(async () => (await app.send("GET", "/api/authors")).status, SOON).toBe(200);

  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { name: "Publications" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, "overview");
  await page.emulateMedia({ colorScheme: "dark" });
  for (const [name, heading] of [
    ["Overview", "Publications"],
    ["Roles", "Roles"],
    ["API tokens", "API tokens"],
  ] as const) {
    await page.getByRole("link", { name }).click();
    await page.getByRole("heading", { name: heading }).first().waitFor();
    expect(await violations(page)).toEqual([]);
  }
  expect(page.errors).toEqual([]);
});

test("a colleague who may write German only is added, enters by the link, and can change German alone", async () => {
  const article = "api::article.article";
  const limited = ["create", "readDraft", "update", "publish"].map((name) =>
    can(`${article}.${name}`, { locales: ["de"] }),
  );
  const desk = [...["find", "findOne"].map((name) => `${article}.${name}`), ...limited];
  const app = await panelApp({ permissions: { german: desk }, panel: { roles: ["administrator", "german"] } });
  const { auth, actions, database } = app.services;
  await applyPermissions(
    database,
    auth.roles,
    planPermissions(actionsByRole({ german: desk }), auth.roles.all(), actions),
  );
  const token = await app.token();
  const created = await app.send("POST", "/api/articles", {
    token,
    body: { data: { title: "Low water", slug: "low" } },
  });
  const { documentId } = (created.body as { data: { documentId: string } }).data;
  const data = { title: "Niedrigwasser", slug: "niedrig" };
  await app.send("PUT", `/api/articles/${documentId}?locale=de`, { token, body: { data } });

  const page = await enteredPage(app);
  await page.getByRole("link", { name: "Roles" }).click();
  await page.getByRole("link", { name: "German" }).click();
  await page.getByText("only: de").first().waitFor();
  await shoot(page, "role-german");
  await page.getByRole("link", { name: "Users" }).click();
  await page.getByRole("button", { name: "Add a user" }).click();
  await page.getByLabel("Name").fill("anna");
  await page.getByLabel("E-mail").fill("anna@example.com");
  await shoot(page, "person-new");
  await page.getByRole("button", { name: "Save" }).click();
  const link = await page.getByRole("dialog", { name: "Link for anna" }).locator("code").innerText();
  expect(await violations(page)).toEqual([]);
  await shoot(page, "person-link");

  const colleague = await openPage();
  await colleague.goto(link);
  await colleague.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await colleague.getByLabel("Password again").fill(PASSWORD);
  await colleague.getByRole("button", { name: "Set password" }).click();
  // The list begins with the language that she may write.
  await colleague.getByRole("link", { name: "Niedrigwasser" }).click();
  const title = colleague.getByRole("textbox", { name: "Title" }).first();
  await expect.poll(() => title.inputValue()).toBe("Niedrigwasser");
  await title.fill("Ebbe");
  await colleague.getByRole("button", { name: "Publish", exact: true }).click();
  const german = async () => (await app.send("GET", "/api/articles?locale=de", { token })).body;
  await expect.poll(german, SOON).toMatchObject({ data: [{ title: "Ebbe" }] });
  await colleague.getByRole("button", { name: "en", exact: true }).click();
  await colleague.getByText("You may read this, and not change it.").waitFor();
  await expect.poll(() => title.inputValue()).toBe("Low water");
  expect(await title.getAttribute("readonly")).not.toBeNull();
  expect(await colleague.getByRole("link", { name: "Roles" }).count()).toBe(0);
  await shoot(colleague, "german-only");
  // Two browsers with the same document and language.
  await page.goto(`${app.panel}/content/articles/${documentId}?locale=en`);
  await page.getByText("anna has this open, too.").waitFor();
  await colleague.getByText("admin has this open, too.").waitFor();
  await page.getByRole("link", { name: "Media" }).click();
  await colleague.getByText("admin has this open, too.").waitFor({ state: "hidden" });
});

test("webhooks are added, tested, paused and deleted, deliveries are sent again, and the audit log tells who did it", async () => {
  const { url, received } = await openReceiver({ atEnd: onTestFinished });
  const declared = { name: "site", url, events: ["entry.publish" as const] };
  const app = await panelApp({ audit: true, events: { allowAddresses: ["127.0.0.1"], webhooks: [declared] } });
  onTestFinished(await startFeatures(app.services));
  const page = await enteredPage(app);
  page.setDefaultTimeout(60_000);
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("cell", { name: /^site/ }).waitFor();
  await page.getByRole("button", { name: "Add a webhook" }).click();
  await page.getByLabel("Name").fill("site");
  await page.getByLabel("Address").fill(url);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("name is taken").waitFor();
  await page.getByLabel("Name").fill("search");
  expect(await page.getByText("name is taken").count()).toBe(0);
  await page.getByRole("combobox", { name: "Events" }).click();
  await page.getByRole("option", { name: "entry.create" }).click();
  await page.keyboard.press("Tab");
  expect(await violations(page)).toEqual([]);
  await shoot(page, "webhook-new");
  await page.getByRole("button", { name: "Save" }).click();
  const secret = await page.getByRole("dialog", { name: "search" }).locator("code").innerText();
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole("button", { name: "Done" }).click();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole("button", { name: "More actions: search" }).click();
  await page.getByRole("menuitem", { name: "Send a test" }).click();
  await page.getByText("The answer was 204").waitFor();
  const token = await app.token();
  await app.send("POST", "/api/tags", { token, body: { data: { name: "Sea", slug: "sea" } } });
  await page.getByRole("button", { name: "Again: entry.create, search" }).waitFor();
  const sent = received.length;
  await page.getByRole("button", { name: "Again: entry.create, search" }).click();
  await page.getByText("It is sent again").waitFor();
  await expect.poll(() => received.length, SOON).toBeGreaterThan(sent);
  expect(await violations(page)).toEqual([]);
  await shoot(page, "webhooks");

  await page.getByRole("button", { name: "More actions: search" }).click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await page.getByText("Paused", { exact: true }).waitFor();
  await page.getByRole("button", { name: "More actions: search" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "More actions: search" }).waitFor({ state: "hidden" });
  // Nobody can delete here what the configuration declares.
  await page.getByRole("button", { name: "More actions: site" }).click();
  expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Send a test", "Pause"]);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("menuitem", { name: "Deutsch" }).click();
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Protokoll" }).click();
  await page.getByRole("cell", { name: /^Webhook gelöscht/ }).waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, "audit-german");
  await page.getByRole("combobox", { name: "Aktion" }).click();
  await page.getByRole("option", { name: "Webhooks" }).click();
  await expect
    .poll(async () =>
      (await page.locator("tbody tr td:nth-child(2)").allInnerTexts()).map((text) => text.split("\n")[0]),
    )
    .toEqual(["Webhook gelöscht", "Webhook angehalten", "Zustellungen wiederholt", "Webhook angelegt"]);
  // The refused form.
  expect(page.errors.filter((error) => !error.includes("400"))).toEqual([]);
});
