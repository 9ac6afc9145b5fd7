import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { openPage } from "../support/browser.ts";
import { cmsOutput, serve } from "../support/cms.ts";
import { projectOnServer } from "../support/project.ts";

const extension = `import { defineExtension } from "galley-cms";
import { can, schemas } from "galley-cms/rest";
import { z } from "zod";

const stars = z.object({ stars: z.int().min(1).max(5) });

export default defineExtension({
  routes: (router) =>
    void router.post(
      "/articles/:documentId/ratings",
      can("api::article.article.rate"),
      schemas({
        summary: "Rates an article",
        body: stars,
        query: z.object({ silent: z.enum(["yes", "no"]).default("no") }),
        answer: stars.extend({ silent: z.boolean() }),
      }),
      (c) => c.json({ ...c.get("body"), silent: c.get("query").silent === "yes" }),
    ),
});
`;

const secrets = {
  JWT_SECRET: "a secret for this test only, long enough",
  API_TOKEN_SALT: "a salt for this test only",
};

test("the document is served with the routes of extensions, and people find, read and try all of it on a page", async () => {
  const root = await projectOnServer();
  await writeFile(path.join(root, "content-types/article/extension.ts"), extension);
  await cmsOutput(root, ["generate"]);
  const token = (await cmsOutput(root, ["token", "create", "--name", "page", "--type", "full-access"])).trim();
  const { url, stop } = await serve(root);

  const address = `${url}/api/openapi.json`;
  const served = await fetch(address);
  const document = await served.json();
  expect(document).toEqual(JSON.parse(await readFile(path.join(root, "generated/openapi.json"), "utf8")));
  const rating = document.paths["/api/articles/{documentId}/ratings"].post;
  expect(rating).toMatchObject({
    summary: "Rates an article",
    security: [{}, { token: ["api::article.article.rate"] }],
    parameters: [{ $ref: "#/components/parameters/documentId" }, { name: "silent", in: "query" }],
    requestBody: {
      content: { "application/json": { schema: { properties: { stars: { type: "integer", maximum: 5 } } } } },
    },
  });
  const tag = served.headers.get("etag") ?? "";
  const again = await fetch(address, { headers: { "If-None-Match": tag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);

  const rate = (body: object) =>
    fetch(`${url}/api/articles/x/ratings?silent=yes`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect(await (await rate({ stars: 3 })).json()).toEqual({ stars: 3, silent: true });
  const refused = await rate({ stars: 9 });
  expect([refused.status, (await refused.json()).error.details.errors[0].path]).toEqual([400, ["stars"]]);

  const page = await openPage();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`${url}/`);
  await page.getByRole("link", { name: "/documentation" }).click();
  await page.locator(".opblock").first().waitFor();
  const create = page.locator('.opblock[id$="-createArticle"]');
  await page.getByRole("button", { name: "Authorize" }).first().click();
  await page.locator(".auth-container input").first().fill(token);
  await page.locator(".auth-btn-wrapper .authorize").first().click();
  await page.locator(".close-modal").first().click();
  await create.locator(".opblock-summary-control").click();
  await create.locator("textarea.body-param__text").fill(JSON.stringify({ data: { title: "Tried out" } }));
  await create.locator("button.execute").click();
  await create.locator(".live-responses-table .response-col_status", { hasText: "201" }).waitFor();
  expect(await create.locator(".live-responses-table").innerText()).toContain("Tried out");
  expect(requests.filter((each) => !each.startsWith(`${url}/`) && !each.startsWith("data:"))).toEqual([]);
  expect(page.errors).toEqual([]);
  await stop();

  const production = await serve(root, { ...secrets, NODE_ENV: "production" });
  const closed = await Promise.all(["/api/openapi.json", "/documentation"].map((at) => fetch(production.url + at)));
  expect(closed.map(({ status }) => status)).toEqual([404, 404]);
});
