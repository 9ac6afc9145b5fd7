/**
 * A browser for tests of pages, from packages alone.
 *
 *     const page = await openPage();      // closed, with its browser, at the end of the test
 *     await page.goto(`${url}/graphql`);
 */
import path from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { preparedOnce } from "./run-folder.ts";
import { SOON } from "./soon.ts";

/** Chromium asks for nothing but what the page asks for. */
const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

/**
 * Unpacks the browser. The package would take any file of its name that lies in the folder for temporary files, also
 * one that another test is just writing or that belongs to another user; so it gets a folder of its own.
 */
const unpacked = preparedOnce("browser", async (own) => {
  const shared = process.env["TMPDIR"];
  process.env["TMPDIR"] = own;
  const unpacking = chromium.executablePath();
  if (shared === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = shared;
  await unpacking;
});

const launch = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: path.join(await unpacked(), "chromium"),
    args: [...chromium.args, ...QUIET],
  });

export interface WatchedPage extends Page {
  /** What the page wrote to the console as an error, and errors that nothing caught. */
  readonly errors: readonly string[];
}

/** A page in a browser of its own. */
export const openPage = async (): Promise<WatchedPage> => {
  const browser = await launch();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(SOON.timeout);
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  return Object.assign(page, { errors });
};
