import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { cms, cmsOutput, serve } from "../support/cms.ts";
import { generatedProject, projectOnServer } from "../support/project.ts";
import { SOON } from "../support/soon.ts";

const EXTENSION = `import { defineExtension, ForbiddenError } from "galley-cms";
import { can, everyone } from "galley-cms/rest";

export default defineExtension<"api::article.article">({
  routes(router) {
    router.get("/articles/count", everyone(), async (c) => {
      const { documents } = c.get("services");
      return c.json({ count: (await documents("api::article.article").find()).length });
    });
    router.get("/articles/forgetful", everyone(), (c) => {
      void Promise.reject(new Error("nobody waits"));
      return c.json({});
    });
    router.get("/articles/archive", can("api::article.article.archive"), (c) => c.json({ data: [] }));
  },
  hooks: {
    beforeCreate({ data }) {
      if (data.title === "secret") throw new ForbiddenError("not here");
      if (data.title === "broken") throw new Error("the password is hidden");
      return { ...data, title: data.title?.trim() ?? null };
    },
  },
});
`;

test("an extension adds routes and hooks, and the errors of the package that it throws are answers", async () => {
  const root = await projectOnServer();
  await writeFile(path.join(root, "content-types/article/extension.ts"), EXTENSION);
  await cmsOutput(root, ["generate"]);
  const token = await cmsOutput(root, ["token", "create", "--name", "test", "--type", "full-access"]);
  const { url, output } = await serve(root);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const create = async (title: string): Promise<[number, unknown]> => {
    const body = JSON.stringify({ data: { title } });
    const answer = await fetch(`${url}/api/articles`, { method: "POST", headers, body });
    return [answer.status, await answer.json()];
  };

  expect(await create("  spaced  ")).toMatchObject([201, { data: { title: "spaced" } }]);
  expect(await create("secret")).toMatchObject([403, { error: { name: "ForbiddenError", message: "not here" } }]);
  expect(await create("broken")).toEqual([
    500,
    {
      data: null,
      error: {
        status: 500,
        name: "InternalServerError",
        message: "Internal Server Error",
        details: { requestId: expect.any(String) },
      },
    },
  ]);
  expect((await fetch(`${url}/api/articles/forgetful`)).status).toBe(200);
  await vi.waitFor(() => expect(output.stdout).toContain("nobody waits"), SOON);
  expect(await (await fetch(`${url}/api/articles/count`)).json()).toEqual({ count: 1 });
  expect((await fetch(`${url}/api/articles/archive`)).status).toBe(403);
  expect((await fetch(`${url}/api/articles/archive`, { headers })).status).toBe(200);
});

const USERS = `import { defineExtension } from "galley-cms";

export default defineExtension<"plugin::users-permissions.user">({
  hooks: {
    beforeCreate: ({ data }) => ({ ...data, username: data.username?.toLowerCase() ?? null }),
  },
});
`;

test("an extension of users needs no schema file of theirs", async () => {
  const root = await projectOnServer();
  const folder = path.join(root, "content-types/users-permissions/user");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "extension.ts"), USERS);
  await cmsOutput(root, ["generate"]);
  expect(await readFile(path.join(root, "generated/extensions.ts"), "utf8")).toContain(
    'from "../content-types/users-permissions/user/extension.ts"',
  );
  const { url } = await serve(root);
  const answer = await fetch(`${url}/api/auth/local/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "ANNA", email: "anna@example.org", password: "a long password" }),
  });
  expect(await answer.json()).toMatchObject({ user: { username: "anna" } });
});

test("an extension of no type at all is told of", async () => {
  const root = await generatedProject();
  const folder = path.join(root, "content-types/articel");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "extension.ts"), USERS);
  const { code, stderr } = await cms(root, ["generate"]);
  expect(code).toBe(0);
  expect(stderr).toContain(
    'content-types/articel/extension.ts - warning CMS1011: there is no content type "api::articel.articel"',
  );
});
