/** The versions of a document in the panel, and what will happen to it. */
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { openPage } from "../../support/browser.ts";
import { listenOnFreePort } from "../../support/listen.ts";
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

/** A site that shows the title of the draft that a link leads to, read from the server at `origin`. */
const previewSite = async (origin: () => string): Promise<string> => {
  const site = createServer(async ({ url = "" }, answer) => {
    const token = new URL(url, origin()).searchParams.get("preview") ?? "";
    const response = await fetch(`${origin()}/api/preview`, { headers: { "X-Preview-Token": token } });
    const { data, error } = Object(await response.json());
    answer.writeHead(response.status, { "Content-Type": "text/html", "Referrer-Policy": "no-referrer" });
    answer.end(`<h1>${data?.title ?? error.message}</h1>`);
  });
  onTestFinished(async () => void site.close());
  return listenOnFreePort(site);
};

test("a writer shares a draft with somebody without an account, and ends the link", async () => {
  let origin = "";
  const site = await previewSite(() => origin);
  const panel = { previewUrl: `${site}/{uid}/{slug}?locale={locale}` };
  const app = await panelApp({ panel, sharing: {} });
  origin = new URL(app.panel).origin;
  const data = { title: "Low water", slug: "low-water" };
  const { body } = await app.send("POST", "/api/articles?status=draft", { token: await app.token(), body: { data } });
  const page = await enteredPage(app);
  await page.goto(`${app.panel}/content/articles/${Object(body).data.documentId}`);
  await page.getByRole("button", { name: "Share the draft" }).click();
  const dialog = page.getByRole("dialog", { name: "Share the draft" });
  await dialog.getByRole("button", { name: "Create a link" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create a link" }).click();
  const address = await dialog.locator("code").innerText();
  expect(address).toMatch(/\/api%3A%3Aarticle\.article\/low-water\?locale=en&preview=[\w.-]+$/);
  await dialog.getByRole("button", { name: "Done" }).click();

  const visitor = await openPage();
  await visitor.goto(address);
  expect(await visitor.locator("h1").innerText()).toBe("Low water");
  await page.getByRole("button", { name: "Share the draft" }).click();
  await dialog.getByText(/^Good until/).waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "End this link" }).click();
  await dialog.getByText(/^Good until/).waitFor({ state: "hidden" });
  await visitor.reload();
  expect(await visitor.locator("h1").innerText()).toBe("This link has ended");
});
