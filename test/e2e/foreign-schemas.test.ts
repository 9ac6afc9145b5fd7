/** Schema files that come from other servers, with what those tolerate: from the file to an answer. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cms, cmsOutput, emptyFolder, serve } from "../support/cms.ts";

const files: Readonly<Record<string, unknown>> = {
  "content-types/place/schema.json": {
    info: { singularName: "place", pluralName: "places", displayName: "Place" },
    attributes: {
      name: { type: "string" },
      code: { type: "customField", customField: "plugin::maps.code", default: "none", maxLength: 8 },
      layout: { type: "customField", customField: "plugin::layouts.layout", default: "wide" },
      colour: { type: "customField", customField: "plugin::color-picker.color", default: "#fff" },
      año: { type: "integer" },
      visited: { type: "datetime", default: "now" },
      stays: { type: "component", component: "place.stay", repeatable: true },
    },
  },
  "content-types/components/place/stay.json": {
    attributes: {
      año: { type: "integer" },
      "in-use": { type: "boolean" },
      since: { type: "datetime", default: "now" },
    },
  },
  "content-types/users-permissions/user/schema.json": { attributes: { nickname: { type: "string" } } },
};

const CONFIG = `import { defineConfig } from "galley-cms";

export default defineConfig({ customFields: { "plugin::maps.code": "string" }, auth: { register: { allowedFields: ["nickname"] } } });
`;

const project = async (): Promise<string> => {
  const root = await emptyFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), JSON.stringify(content));
  }
  await writeFile(path.join(root, "cms.config.ts"), CONFIG);
  return root;
};

test("what other servers load is understood, kept and answered", async () => {
  const root = await project();
  const { code, stderr } = await cms(root, ["generate"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain('customFields: { "plugin::layouts.layout": "text" }');
  expect(stderr).not.toContain("plugin::maps.code");
  await cmsOutput(root, ["migrate"]);
  const token = await cmsOutput(root, ["token", "create", "--name", "test", "--type", "full-access"]);
  const { url } = await serve(root);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = async (route: string, body: unknown, more: Record<string, string> = {}): Promise<[number, unknown]> => {
    const answer = await fetch(url + route, {
      method: "POST",
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
    return [answer.status, await answer.json()];
  };
  const names = async (query: string): Promise<unknown> => {
    const answer = await fetch(`${url}/api/places?fields=name&${query}`, { headers });
    const { data } = (await answer.json()) as { data?: readonly { name: string }[] };
    return data?.map(({ name }) => name) ?? answer.status;
  };

  const before = Date.now();
  const stays = [{ año: 2019, "in-use": true }];
  const [status, created] = await post("/api/places?populate=*", { data: { name: "Ada", año: 2020, stays } });
  expect([status, created]).toMatchObject([
    201,
    { data: { code: "none", layout: "wide", colour: "#fff", año: 2020, stays: [{ año: 2019, "in-use": true }] } },
  ]);
  const { visited, stays: kept } = (created as { data: { visited: string; stays: readonly { since: string }[] } }).data;
  expect(Date.parse(visited)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(kept[0]?.since ?? "")).toBeGreaterThanOrEqual(before);

  expect((await post("/api/places", { data: { name: "B", code: "longer than it may be" } }))[0]).toBe(400);
  expect(await post("/api/places", { data: { name: "B", code: "b-1", año: 1999 } })).toMatchObject([
    201,
    { data: { code: "b-1" } },
  ]);
  expect(await names("filters[code][$startsWith]=b-")).toEqual(["B"]);
  expect(await names(`filters[${encodeURIComponent("año")}][$gt]=2000`)).toEqual(["Ada"]);
  expect(await names(`filters[stays][${encodeURIComponent("año")}]=2019&filters[stays][in-use]=true`)).toEqual(["Ada"]);
  expect(await names(`sort=${encodeURIComponent("año")}`)).toEqual(["B", "Ada"]);

  const user = { username: "grace", email: "grace@example.com", password: "long enough", nickname: "G" };
  const registered = await fetch(`${url}/api/auth/local/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(user),
  });
  expect([registered.status, await registered.json()]).toMatchObject([200, { user: { nickname: "G" } }]);
});
