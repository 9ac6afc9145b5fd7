/** The examples, installed, built and started with the packed package, in a browser. `npm run examples` runs it. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage } from "../../test/support/browser.ts";
import { type Magazine, magazine, startSite } from "./site.ts";

let quayside: Magazine;
beforeAll(async () => {
  quayside = await magazine();
});
afterAll(() => quayside.stop());

interface Weight {
  files: number;
  kilobytes: number;
}

/** What a page sends for, by the type of what it is. */
const weigh = (page: Page): (() => Promise<Readonly<Record<string, Weight>>>) => {
  const requests: Promise<readonly [string, number]>[] = [];
  page.on("requestfinished", (request) => {
    requests.push(request.sizes().then((sizes) => [request.resourceType(), sizes.responseBodySize]));
  });
  return async () => {
    const weights: Record<string, Weight> = {};
    for (const [type, size] of await Promise.all(requests)) {
      const weight = (weights[type] ??= { files: 0, kilobytes: 0 });
      weight.files += 1;
      weight.kilobytes = Math.round(10 * weight.kilobytes + size / 102.4) / 10;
    }
    return weights;
  };
};

const titles = (page: Page): Promise<readonly string[]> => page.locator(".stories h2").allInnerTexts();

const DRAFT = "Letters from the breakwater";

const showsPictures = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>("document.images[0].complete && document.images[0].naturalWidth > 0");

/** Takes a picture into the folder that SCREENSHOTS names, for whoever wants to look. */
const screenshot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["SCREENSHOTS"];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
};

test.each(["astro", "next"])(
  "%s: pages, languages, drafts, a login and a form",
  async (name) => {
    const { url, firstAnswer } = await startSite(quayside, name);
    const page = await openPage();
    const weight = weigh(page);

    await page.goto(url, { waitUntil: "networkidle" });
    expect(page.url()).toBe(`${url}/en`);
    console.log(`${name}: first answer ${Math.round(firstAnswer)} ms after the start; its first page`, await weight());
    expect(await page.locator("h1").innerText()).toBe("Stories from the edge of the sea");
    expect(await titles(page)).toHaveLength(12);
    expect(await titles(page)).not.toContain(DRAFT);
    expect(await showsPictures(page)).toBe(true);
    await screenshot(page, `${name}-home`);

    await page.getByRole("link", { name: "The last rope walk" }).click();
    await page.waitForURL(`${url}/en/articles/the-last-rope-walk`);
    await expect.poll(() => page.title()).toBe("The last rope walk · Quayside");
    expect(await page.locator("article p").count()).toBeGreaterThan(3);
    await screenshot(page, `${name}-story`);
    await page.getByRole("link", { name: "Deutsch" }).click();
    await page.waitForURL(/\/de/);
    await page.goto(`${url}/de/articles/the-last-rope-walk`);
    expect(await page.title()).toBe("Die letzte Reeperbahn · Quayside");
    expect(await page.locator("html").getAttribute("lang")).toBe("de");

    const draft = `${url}/en/articles/letters-from-the-breakwater`;
    for (const missing of [draft, `${url}/fr`, `${url}/en/articles/none`]) {
      expect((await fetch(missing)).status, missing).toBe(404);
    }
    expect((await fetch(`${url}/preview?secret=high+water`)).status).toBe(403);
    await page.goto(`${url}/preview?secret=low+water`);
    expect(await titles(page)).toContain(DRAFT);
    await page.goto(draft);
    expect(await page.locator("h1").innerText()).toBe(DRAFT);
    await page.getByRole("link", { name: "Leave" }).click();
    await page.waitForURL(`${url}/en`);
    expect(await titles(page)).not.toContain(DRAFT);

    await page.getByRole("link", { name: "Log in" }).click();
    const logIn = async (password: string): Promise<void> => {
      await page.getByLabel("Name or e-mail").fill("ada");
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Log in" }).click();
    };
    await logIn("wrong");
    await expect.poll(() => page.getByText("Invalid identifier or password").count()).toBe(1);
    await logIn(quayside.user.password);
    await page.getByRole("link", { name: "ada" }).waitFor();
    expect(await page.evaluate("document.cookie")).toBe("");

    const propose = async (): Promise<void> => {
      await page.getByLabel("Title").fill(`Ropes for ${name}`);
      await page.getByLabel("What is it about?").fill(`Knots & <splices>, ${name}.`);
      await page.getByRole("button", { name: "Send" }).click();
    };
    await screenshot(page, `${name}-desk`);
    await propose();
    await page.getByText("Thank you. An editor reads it now.").waitFor();
    await page.goto(`${url}/en`);
    expect(await titles(page)).not.toContain(`Ropes for ${name}`);
    await page.goto(`${url}/preview?secret=low+water`);
    expect(await titles(page)).toContain(`Ropes for ${name}`);
    expect(await page.getByText(`Knots & <splices>, ${name}.`).count()).toBe(1);

    await page.goto(`${url}/de/desk`);
    await page.getByRole("button", { name: "Abmelden" }).click();
    await page.getByRole("link", { name: "Anmelden" }).waitFor();
    expect(page.errors).toEqual([]);
  },
  600_000,
);
