/** The example with the panel, on a port, with its first user signed in. */
import { onTestFinished } from "vitest";
import { firstPanelUser } from "../../runtime/accounts/roles/panel-roles.ts";
import type { Application } from "../../runtime/app/application.ts";
import type { ConfigInput } from "../../runtime/config/config.ts";
import { listen } from "../../runtime/http/listen.ts";
import { openPage, type WatchedPage } from "../support/browser.ts";
import { type ExampleApp, exampleApp, exampleDatabase } from "../support/example-app.ts";

export const PASSWORD = "low water at nine";

const ROLES = ["administrator", "editor"];

export interface PanelApp extends ExampleApp {
  /** The address of the panel. */
  readonly panel: string;
  /** The path with which the first user sets a password. */
  readonly invitation: string;
}

/** Serves the example with a panel. */
export const panelApp = async (config: ConfigInput = {}, application?: Application): Promise<PanelApp> => {
  const locales = { default: "en", codes: ["en", "de"] };
  const settings = { locales, panel: { title: "The Low Tide" }, ...config };
  const app = await exampleApp(onTestFinished, await exampleDatabase(), settings, application);
  const { port, close } = await listen(app.app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
  onTestFinished(close);
  const invitation = await firstPanelUser(app.services, ROLES);
  return { ...app, panel: `http://127.0.0.1:${port}/admin`, invitation: invitation ?? "" };
};

/** A page on which the first user has set a password and signed in. */
export const enteredPage = async ({ panel, invitation }: PanelApp): Promise<WatchedPage> => {
  const page = await openPage();
  await page.goto(panel + invitation);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password again").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("button", { name: "Your account" }).waitFor();
  return page;
};
