/** The main paths of the panel, as a person takes them. */
import { expect, test } from "vitest";
import { enteredPage, panelApp, PASSWORD, violations } from "./panel-app.ts";

test("an article is written, refused, corrected, published and found, and no page has a fault of axe", async () => {
  // The panel asks for the format that it knows.
  const app = await panelApp({ rest: { format: "v4" } });
  const token = await app.token();
  await app.send("POST", "/api/authors", { token, body: { data: { name: "Ida Brandt", slug: "ida-brandt" } } });
  const page = await enteredPage(app);

  await page.getByRole("heading", { name: "Nothing here yet" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Create Article" }).click();
  await page.getByRole("textbox", { name: "Body" }).click();
  await page.keyboard.type("The tide leaves twice a day.");
  await page.getByLabel("Author").click();
  await page.getByRole("option", { name: "Ida Brandt" }).click();
  await page.getByRole("button", { name: "Add an entry" }).click();
  await page.getByRole("menuitem", { name: "Quote" }).click();
  await page.getByRole("menu").waitFor({ state: "hidden" });
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("This is needed to publish.").first().waitFor();

  await page.getByRole("textbox", { name: "Title" }).first().fill("Low water");
  await page.getByRole("button", { name: "From Title" }).click();
  await page.getByRole("textbox", { name: "Text" }).fill("You get used to wanting it.");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Published", { exact: true }).first().waitFor();

  const headers = { "strapi-response-format": "v5" };
  const stored = "/api/articles?populate[author]=true&populate[sections]=true";
  const { body } = await app.send("GET", stored, { token, headers });
  expect(body).toMatchObject({
    data: [
      {
        title: "Low water",
        slug: "low-water",
        author: { name: "Ida Brandt" },
        body: [{ type: "paragraph", children: [{ type: "text", text: "The tide leaves twice a day." }] }],
        sections: [{ __component: "blocks.quote", text: "You get used to wanting it." }],
      },
    ],
  });

  await page.getByRole("link", { name: "Article" }).first().click();
  await page.getByLabel("Search").fill("water");
  await page.getByRole("link", { name: "Low water" }).waitFor();
  await page.waitForURL(/[?&]q=water/);
  expect(await violations(page)).toEqual([]);
  // The refused publication, which the browser notes as well.
  expect(page.errors.filter((error) => !error.includes("400"))).toEqual([]);
});

test("who saves over what somebody else has saved is shown both, and what was typed survives a reload", async () => {
  const app = await panelApp();
  const token = await app.token();
  const { body } = await app.send("POST", "/api/articles?status=draft", {
    token,
    body: { data: { title: "One", slug: "one" } },
  });
  const { documentId } = (body as { data: { documentId: string } }).data;
  const page = await enteredPage(app);
  await page.goto(`${app.panel}/content/articles/${documentId}`);
  const title = page.getByRole("textbox", { name: "Title" }).first();
  await title.fill("Mine");
  await page.getByText("Not saved yet").waitFor();
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("panel:text:")));
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole("button", { name: "Restore it" }).click();
  await expect.poll(() => title.inputValue()).toBe("Mine");

  await app.send("PUT", `/api/articles/${documentId}?status=draft`, { token, body: { data: { title: "Theirs" } } });
  await page.getByRole("button", { name: "Save draft" }).click();
  const dialog = page.getByRole("dialog", { name: "Somebody else has changed this" });
  await dialog.getByText("Theirs", { exact: true }).last().waitFor();
  await dialog.getByRole("button", { name: "Go on with this" }).click();
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  const read = await app.send("GET", `/api/articles/${documentId}?status=draft`, { token });
  expect(read.body).toMatchObject({ data: { title: "Mine", slug: "one" } });
});

test("a user without a role of the panel is told so, and one who signed out has to sign in again", async () => {
  const app = await panelApp();
  const page = await enteredPage(app);
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("Name or e-mail").fill("admin");
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("The name or password is wrong.").waitFor();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Article" }).waitFor();
});

test("pictures are uploaded and described, a document is translated, and dark pages on a phone have no fault of axe", async () => {
  const app = await panelApp();
  const token = await app.token();
  await app.send("POST", "/api/articles", { token, body: { data: { title: "Low water", slug: "low-water" } } });
  const page = await enteredPage(app);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("link", { name: "Media" }).click();
  await page.getByRole("heading", { name: "No files yet" }).waitFor();
  const dot = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>';
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "dot.svg", mimeType: "image/svg+xml", buffer: Buffer.from(dot) });
  await page.getByRole("button", { name: "dot.svg" }).click();
  await page.getByLabel("Alternative text").fill("A dot");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  expect((await app.send("GET", "/api/upload/files", { token })).body).toMatchObject([{ alternativeText: "A dot" }]);

  await page.getByRole("link", { name: "Users" }).click();
  await page.getByRole("heading", { name: "Users" }).waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("menuitem", { name: "Deutsch" }).click();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole("button", { name: "Hauptnavigation" }).click();
  await page.getByRole("link", { name: "Article" }).click();
  await page.getByRole("link", { name: "Low water" }).click();
  await page.getByRole("button", { name: "de", exact: true }).click();
  await page.getByRole("button", { name: "Aus en übernehmen" }).click();
  const title = page.getByRole("textbox", { name: "Title" }).first();
  await expect.poll(() => title.inputValue()).toBe("Low water");
  await title.fill("Niedrigwasser");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Veröffentlichen" }).click();
  await page.getByText("Veröffentlicht", { exact: true }).first().waitFor();
  expect((await app.send("GET", "/api/articles?locale=de", { token })).body).toMatchObject({
    data: [{ title: "Niedrigwasser", slug: "low-water" }],
  });
  // The version that was not there yet.
  expect(page.errors.filter((error) => !error.includes("404"))).toEqual([]);
});
