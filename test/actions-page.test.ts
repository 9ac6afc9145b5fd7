/** docs/reference/actions.md lists what can be granted, and which requests need it. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { article } from "../generated/article/type.ts";
import { articleSchema as validator } from "../generated/article/validator.ts";
import { declaredActions, defaultPermissions, optionalActions } from "../runtime/access/actions.ts";
import { eventsConfig } from "../runtime/config/events.ts";
import { panelConfig } from "../runtime/config/panel.ts";

const repository = path.join(import.meta.dirname, "..");
const read = (file: string): Promise<string> => readFile(path.join(repository, file), "utf8");

/** Their routes are there only with `events`, `audit`, `panel`, `sharing` or `media.folders` in the configuration, which this project has not. */
const OPTIONAL = /^plugin::(?:events|audit|panel|sharing|upload\.folder)\./;
/** A type with every option. */
const type = { ...article, schedule: true, history: {} };

const rowsOf = async () =>
  [...(await read("docs/reference/actions.md")).matchAll(/^\| `([\w:.-]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, action = "", requests = "", last = ""]) => ({ action, requests, holder: last.replaceAll("`", "") }),
  );

test("the page of actions lists every action that can be granted, with those who have it in a new database", async () => {
  const rows = await rowsOf();
  const types = declaredActions({ contentTypes: { "api::article.article": { type, validator } }, components: {} });
  const declared = [
    ...types,
    ...optionalActions({
      events: eventsConfig.parse({ stream: {} }),
      audit: { days: 1 },
      panel: panelConfig.parse({}),
      sharing: { maxDays: 30, related: [] },
      media: { folders: true },
    }),
  ];
  expect(rows.map(({ action }) => action).toSorted()).toEqual(declared.toSorted());
  const holders = Object.entries(defaultPermissions).flatMap(([role, actions]) =>
    actions.map((action) => `${action} ${role}`),
  );
  const listed = rows.filter(({ action, holder }) => action.startsWith("plugin::") && holder !== "nobody");
  expect(listed.map(({ action, holder }) => `${action} ${holder}`).toSorted()).toEqual(holders.toSorted());
});

test("a request of the page of actions needs the action that it is listed with", async () => {
  const { paths } = JSON.parse(await read("generated/openapi.json"));
  const rows = (await rowsOf()).filter(({ action }) => !OPTIONAL.test(action));
  const claimed = rows.flatMap(({ action, requests }) =>
    [...requests.matchAll(/`(GET|POST|PUT|DELETE) (\/api\/[\w/:-]+)`/g)].map(([, method = "", route = ""]) => ({
      action,
      needed: paths[route.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]?.security,
      request: `${method} ${route}`,
    })),
  );
  expect(claimed.length).toBeGreaterThan(40);
  const others = claimed.filter(({ action, needed, request }) => {
    if (request === "POST /api/upload" && action === "api::article.article.update") return false;
    return !JSON.stringify(needed ?? []).includes(`"${action}"`);
  });
  expect(others).toEqual([]);
});
