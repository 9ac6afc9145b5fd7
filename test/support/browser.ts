/**
 * A browser for tests of pages, from packages alone.
 *
 *     const page = await openPage();      // closed, with its browser, at the end of the test
 *     await page.goto(`${url}/graphql`);
 */
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

/** Chromium asks for nothing but what the page asks for. */
const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

const launch = async (): Promise<Browser> =>
  playwright.launch({ executablePath: await chromium.executablePath(), args: [...chromium.args, ...QUIET] });

export interface WatchedPage extends Page {
  /** What the page wrote to the console as an error, and errors that nothing caught. */
  readonly errors: readonly string[];
}

/** A page in a browser of its own. */
export const openPage = async (): Promise<WatchedPage> => {
  const browser = await launch();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  return Object.assign(page, { errors });
};
