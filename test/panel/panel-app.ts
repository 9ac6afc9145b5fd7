/** The example with the panel, on a port, with its first user signed in. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { onTestFinished } from "vitest";
import example from "../../generated/index.ts";
import { describeTables } from "../../generator/migrate/tables/describe-tables.ts";
import { firstPanelUser } from "../../runtime/accounts/roles/panel-roles.ts";
import type { Application } from "../../runtime/app/application.ts";
import * as auditTables from "../../runtime/audit/tables.ts";
import type { ConfigInput } from "../../runtime/config/config.ts";
import { APPEND_ONLY } from "../../runtime/database/migrations/append-only.ts";
import * as eventTables from "../../runtime/events/tables.ts";
import { uploadFolders } from "../../runtime/folders/tables.ts";
import { documentVersions } from "../../runtime/history/versions/tables.ts";
import { listen } from "../../runtime/http/listen.ts";
import { can, discardDraft, schedule } from "../../runtime/http/rest/index.ts";
import { documentSchedules } from "../../runtime/schedules/tables.ts";
import { shareLinks } from "../../runtime/sharing/tables.ts";
import { routesOf } from "../runtime/history/versions-world.ts";
import { openPage, type WatchedPage } from "../support/browser.ts";
import { creationSql } from "../support/creation-sql.ts";
import { type ExampleApp, exampleApp, exampleDatabase } from "../support/example-app.ts";

export const PASSWORD = "low water at nine";

const ROLES = ["administrator", "editor"];

export interface PanelApp extends ExampleApp {
  /** The address of the panel. */
  readonly panel: string;
  /** The path with which the first user sets a password. */
  readonly invitation: string;
}

const article = "api::article.article";

/** The example, whose articles keep their versions and can be scheduled. */
export const withHistory = (): Application => {
  const declared = example.contentTypes[article];
  if (!declared) throw new Error("the example has no articles");
  const type = { ...declared.type, history: {}, schedule: true };
  const actions = "/articles/:documentId/actions";
  const routes = routesOf(type)
    .post(`${actions}/discard-draft`, can(`${article}.discardDraft`), discardDraft(type))
    .post(`${actions}/schedule`, can(`${article}.schedule`), schedule(type));
  return { ...example, contentTypes: { ...example.contentTypes, [article]: { ...declared, type, routes } } };
};

/** Serves an application with a panel; by default the example. */
export const panelApp = async (config: ConfigInput = {}, application?: Application): Promise<PanelApp> => {
  const database = await exampleDatabase();
  const tables = [
    documentVersions,
    documentSchedules,
    shareLinks,
    uploadFolders,
    ...Object.values({ ...auditTables, ...eventTables }),
  ];
  await database.script(APPEND_ONLY);
  await database.script(creationSql(describeTables(tables)));
  const locales = { default: "en", codes: ["en", "de"] };
  const settings = { locales, panel: { title: "The Low Tide" }, ...config };
  const app = await exampleApp(onTestFinished, database, settings, application);
  const { port, close } = await listen(app.app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
  onTestFinished(close);
  const invitation = await firstPanelUser(app.services, ROLES);
  return { ...app, panel: `http://127.0.0.1:${port}/admin`, invitation: invitation ?? "" };
};

/** A page on which the first user has set a password and signed in. */
export const enteredPage = async ({
  panel,
  invitation,
}: Pick<PanelApp, "panel" | "invitation">): Promise<WatchedPage> => {
  const page = await openPage();
  await page.goto(panel + invitation);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password again").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("button", { name: "Your account" }).waitFor();
  return page;
};

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

declare const window: { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };

/** What axe finds on a page, a line each. The policy of the page lets no script in but by the debugger. */
export const violations = async (page: WatchedPage): Promise<readonly string[]> => {
  await page.evaluate(await readFile(axe, "utf8"));
  const found = await page.evaluate(() => window.axe.run());
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
};

/** A picture of one colour, as SVG. */
export const picture = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4" fill="${colour}"/></svg>`;
