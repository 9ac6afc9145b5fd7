import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { openPage } from "../support/browser.ts";
import { cmsOutput, serve } from "../support/cms.ts";
import { projectOnServer } from "../support/project.ts";

const extension = `import { defineExtension } from "galley-cms";
import { can } from "galley-cms/rest";

export default defineExtension({
  routes: (router) => void router.get("/articles/count", can("api::article.article.count"), (c) => c.text("0")),
});
`;

test("people find types, routes and first steps at /, light and dark, and in production nothing of them", async () => {
  const root = await projectOnServer();
  await writeFile(path.join(root, "content-types/article/extension.ts"), extension);
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["permissions", "apply"]);
  const { url, stop } = await serve(root);
  const page = await openPage();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const opened = await page.goto(`${url}/`);
  expect(opened?.headers()["content-security-policy"]).toContain("default-src 'none'");
  const text = await page.locator("body").innerText();
  expect(text).toContain("api::article.article collection type, drafts");
  expect(text).toMatch(/PUT\s+\/api\/articles\/:documentId\s+api::article\.article\.update/);
  expect(text).toMatch(/GET\s+\/api\/articles\/count\s+api::article\.article\.count/);
  expect(text).toMatch(/POST\s+\/api\/auth\/local\b/);
  expect(text).toContain("npx cms token create");

  const ground = () =>
    page.evaluate("getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).maxWidth");
  await page.emulateMedia({ colorScheme: "light" });
  const light = await ground();
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await ground();
  expect(light).not.toBe(dark);
  // The style has arrived: the policy lets it through.
  expect(light).toContain("832px");

  await page.getByRole("link", { name: "/api/articles", exact: true }).first().click();
  await page.waitForURL("**/api/articles");
  expect(await page.locator("body").innerText()).toContain('"pagination"');
  await page.goBack();
  await page.getByRole("link", { name: "/graphql" }).click();
  await page.locator(".graphiql-execute-button").waitFor();
  expect(requests.filter((each) => !each.startsWith(`${url}/`) && !/^(?:data|blob):/.test(each))).toEqual([]);
  expect(page.errors).toEqual([]);
  await stop();

  const secrets = {
    JWT_SECRET: "a secret for this test only, long enough",
    API_TOKEN_SALT: "a salt for this test only",
  };
  const production = await serve(root, { ...secrets, NODE_ENV: "production" });
  const answer = await fetch(`${production.url}/`);
  expect(answer.status).toBe(200);
  const plain = await answer.text();
  expect(plain).toContain("This server is running.");
  expect(plain).not.toMatch(/article|api|graphql|galley|token/i);
});

test("the redirect is there for those who configure it, to a place that is one", async () => {
  const root = await projectOnServer();
  const config = (home: string): Promise<void> =>
    writeFile(path.join(root, "cms.config.ts"), `export default { server: { home: ${JSON.stringify(home)} } };\n`);
  await config("/admin");
  const { url } = await serve(root);
  const answer = await fetch(`${url}/`, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location"), await answer.text()]).toEqual([
    302,
    "/admin",
    "Redirecting to /admin.",
  ]);
  await config("java script:alert(1)");
  await expect(cmsOutput(root, ["generate"])).rejects.toThrow('server.home: expected a path such as "/admin"');
});
