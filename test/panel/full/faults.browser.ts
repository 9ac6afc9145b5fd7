/** What happens to a writer's text when something goes wrong. */
import { expect, test } from "vitest";
import type { ActionTree } from "../../../runtime/accounts/roles/role-management.ts";
import { deferred } from "../../support/deferred.ts";
import { enteredPage, type PanelApp, panelApp, PASSWORD, violations } from "../panel-app.ts";

const HOSTILE = '<img src="x" onerror="window.hacked = true">';

/** A page with a new article, and ways to look at its title. */
const writing = async (app: PanelApp, title = "One") => {
  const token = await app.token();
  const { body } = await app.send("POST", "/api/articles?status=draft", {
    token,
    body: { data: { title, slug: "one" } },
  });
  const { documentId } = (body as { data: { documentId: string } }).data;
  const page = await enteredPage(app);
  await page.goto(`${app.panel}/content/articles/${documentId}`);
  const field = page.getByRole("textbox", { name: "Title" }).first();
  await field.waitFor();
  const path = `/api/articles/${documentId}`;
  return {
    page,
    field,
    token,
    path,
    save: () => page.getByRole("button", { name: "Save draft" }).click(),
    saved: () => page.getByText("Saved", { exact: true }).first().waitFor(),
    stored: async (): Promise<unknown> => {
      const answer = await app.send("GET", `${path}?status=draft`, { token });
      return (answer.body as { data: { title: string } | null }).data?.title;
    },
  };
};

test("a server that is away, a session that is over, a body that is too large and a missing part of the panel lose nothing", async () => {
  const app = await panelApp({ server: { bodyLimit: 50_000 } });
  const { page, field, path, save, saved, stored } = await writing(app);
  await field.fill("Two");
  await page.route(`**${path}*`, (route) => route.abort());
  await save();
  await page.getByText("The server does not answer. What you have typed is kept.").waitFor();
  expect(await field.inputValue()).toBe("Two");
  await page.unroute(`**${path}*`);
  await save();
  await saved();
  expect(await stored()).toBe("Two");

  await field.fill("Three");
  await page.context().clearCookies();
  await page.route(
    `**${path}*`,
    (route) =>
      route.fulfill({
        status: 401,
        json: {
          data: null,
          error: { status: 401, name: "UnauthorizedError", message: "Missing or invalid credentials", details: {} },
        },
      }),
    { times: 1 },
  );
  await save();
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByLabel("Name or e-mail").fill("admin");
  expect(await violations(page)).toEqual([]);
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.waitFor({ state: "hidden" });
  expect(await field.inputValue()).toBe("Three");
  await save();
  await expect.poll(stored).toBe("Three");

  const excerpt = page.getByRole("textbox", { name: "Excerpt" });
  await excerpt.fill("long ".repeat(20_000));
  await save();
  await page.getByText("This is more than the server takes.").waitFor();
  expect((await excerpt.inputValue()).length).toBe(100_000);
  await excerpt.fill("Short");

  // What is typed while a save is on its way belongs to the next one.
  const [arrived, typed] = [deferred(), deferred()];
  await page.route(
    `**${path}*`,
    async (route) => {
      arrived.resolve();
      await typed.promise;
      await route.continue();
    },
    { times: 1 },
  );
  await save();
  await arrived.promise;
  await field.fill("Four");
  typed.resolve();
  await expect.poll(async () => page.getByText("Not saved yet").count()).toBe(1);
  expect(await field.inputValue()).toBe("Four");
  await save();
  await expect.poll(stored).toBe("Four");

  await page.route("**/assets/page-*.js", (route) => route.abort());
  await page.getByRole("link", { name: "Media" }).click();
  await page.getByText("This page could not be shown.").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.unroute("**/assets/page-*.js");
  await page.getByRole("button", { name: "Load again" }).click();
  await page.getByRole("heading", { name: "Media library" }).waitFor();
});

test("a permission that was taken away, a document that was deleted and a schema that has changed are said, and names with markup are text", async () => {
  const app = await panelApp();
  const { page, field, path, token, save, stored } = await writing(app, HOSTILE);
  await page.getByRole("heading", { level: 1, name: HOSTILE }).waitFor();
  await field.fill("Two");

  const answer = {
    data: null,
    error: {
      status: 400,
      name: "ValidationError",
      message: "Invalid key colour",
      details: { key: "colour", source: "body" },
    },
  };
  await page.route(`**${path}*`, (route) => route.fulfill({ status: 400, json: answer }), { times: 1 });
  await save();
  await page.getByText("The form is older than the schema: Invalid key colour").waitFor();

  const role = `/api/users-permissions/roles/${app.services.auth.roles.byType("administrator")?.id}`;
  const shown = (await app.send("GET", role, { token })).body as { role: { permissions: ActionTree } };
  const { permissions } = shown.role;
  const actions = permissions["api::article"]?.controllers["article"] ?? {};
  const allow = async (enabled: boolean): Promise<void> => {
    Object.assign(actions, { update: { enabled } });
    expect((await app.send("PUT", role, { token, body: { permissions } })).status).toBe(200);
  };
  await allow(false);
  await save();
  await page.getByText("You may not do this, or not any more.").waitFor();
  expect(await field.inputValue()).toBe("Two");
  await allow(true);

  await app.send("DELETE", path, { token });
  await save();
  const dialog = page.getByRole("dialog", { name: "Somebody else has changed this" });
  await dialog.getByText("It was deleted in the meantime.").waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Go on as a new document" }).click();
  await page.getByRole("button", { name: "Restore it" }).click();
  await expect.poll(() => field.inputValue()).toBe("Two");
  expect(await stored()).toBeUndefined();
  await save();
  await page.getByText("Created", { exact: true }).waitFor();
  await page.goto(app.panel + path.replace("/api", "/content"));
  await page.getByText("This document does not exist, or was deleted.").waitFor();

  await app.send("POST", "/api/articles", { token, body: { data: { title: HOSTILE, slug: "hostile" } } });
  await page.goto(`${app.panel}/content/articles`);
  await page.getByRole("link", { name: HOSTILE }).waitFor();
  expect(await page.evaluate(() => "hacked" in globalThis)).toBe(false);
});

test("keys that are pressed twice save once, the writer goes on after a save, and nothing typed is lost unasked", async () => {
  const app = await panelApp();
  const { page, field, path, stored, token } = await writing(app);
  const questions: string[] = [];
  page.setDefaultTimeout(10_000);
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  const body = page.getByRole("textbox", { name: "Body" });
  await body.click();
  await page.keyboard.type("Twice");
  await page.keyboard.press("ControlOrMeta+s");
  await page.getByText("Saved", { exact: true }).first().waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Save draft" }).getAttribute("data-loading")).toBeNull();
  await page.keyboard.type(" a day");
  await expect.poll(() => body.innerText()).toBe("Twice a day");

  await page.getByRole("button", { name: "Add an entry" }).click();
  await page.getByRole("menuitem", { name: "Quote" }).click();
  const quote = page.getByRole("textbox", { name: "Text" });
  await quote.fill("Wanting it");
  await field.fill("Two");
  // The save works, and the answer to what is read after it does not arrive.
  await page.route(`**${path}*`, (route) => (route.request().method() === "GET" ? route.abort() : route.continue()));
  await page.keyboard.press("ControlOrMeta+s");
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(stored).toBe("Two");
  await expect
    .poll(() => page.getByRole("button", { name: "Save draft" }).getAttribute("data-loading"), { timeout: 20_000 })
    .toBeNull();
  expect(await field.inputValue()).toBe("Two");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.unroute(`**${path}*`);
  await page.reload();
  await field.waitFor();
  await page.getByRole("button", { name: "Quote", exact: true }).last().click();
  await quote.fill("Getting used to it");
  await page.keyboard.press("ControlOrMeta+s");
  await expect
    .poll(async () => (await app.send("GET", `${path}?status=draft&populate=sections`, { token })).body)
    .toMatchObject({ data: { sections: [{ text: "Getting used to it" }] } });
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  await expect.poll(() => quote.inputValue()).toBe("Getting used to it!");

  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect.poll(() => questions).toEqual(["There is unsaved input. Leave all the same?"]);
  expect(await quote.inputValue()).toBe("Getting used to it!");
  await page.keyboard.press("ControlOrMeta+s");
  await page.getByText("Not saved yet").waitFor({ state: "hidden" });

  await page.goto(`${app.panel}/content/articles/new`);
  await field.fill("New");
  await page.keyboard.press("ControlOrMeta+s");
  await page.keyboard.press("ControlOrMeta+s");
  await page.waitForURL(/articles\/[a-z0-9]{24}/);
  expect((await app.send("GET", "/api/articles?status=draft&filters[title]=New", { token })).body).toMatchObject({
    meta: { pagination: { total: 1 } },
  });
});

test("ten faults are said at their fields, also inside a zone, and the server's words are German in a German panel", async () => {
  const app = await panelApp();
  const token = await app.token();
  const sections = Array.from({ length: 9 }, () => ({ __component: "blocks.quote" }));
  const { body } = await app.send("POST", "/api/articles?status=draft", {
    token,
    body: { data: { slug: "ten", sections } },
  });
  const { documentId } = (body as { data: { documentId: string } }).data;
  const page = await enteredPage(app);
  await page.goto(`${app.panel}/content/articles/${documentId}`);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("alert").getByText("10 fields need a correction").waitFor();
  await expect.poll(() => page.getByText("This is needed to publish.").count()).toBe(10);

  await page.evaluate(() => localStorage.setItem("panel:language", "de"));
  await page.reload();
  await page.getByRole("textbox", { name: "Excerpt" }).fill("x".repeat(300));
  await page.getByRole("button", { name: "Entwurf speichern" }).click();
  await page.getByText("Darf höchstens 280 Zeichen haben").waitFor();
});
