/** Users on the command line, beside a running server. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cmsOutput, serve } from "../support/cms.ts";
import { projectOnServer } from "../support/project.ts";

const secrets = {
  JWT_SECRET: "a secret for this test only, long enough",
  API_TOKEN_SALT: "a salt for this test only",
};

test("a colleague is added with a link, sets a password with it once, and is signed out when blocked", async () => {
  const root = await projectOnServer();
  const early = cmsOutput(root, ["user", "add", "ida", "ida@example.com", "--role", "authenticated"]);
  await expect(early).rejects.toThrow("Passwords are set in the panel");
  await writeFile(
    path.join(root, "cms.config.ts"),
    'import { defineConfig } from "galley-cms";\n\nexport default defineConfig({ panel: {} });\n',
  );
  await writeFile(
    path.join(root, ".env"),
    `${await readFile(path.join(root, ".env"), "utf8")}\n${Object.entries(secrets)
      .map(([name, value]) => `${name}=${value}`)
      .join("\n")}\n`,
  );
  await expect(cmsOutput(root, ["user", "add", "ida", "ida@example.com", "--role", "editr"])).rejects.toThrow(
    'There is no role "editr". Did you mean "editor"?',
  );
  const link = await cmsOutput(root, ["user", "add", "ida", "ida@example.com", "--role", "editor"]);
  expect(link).toMatch(/^http:\/\/localhost:\d+\/admin\/welcome#[0-9a-f]{128}$/);
  expect(await cmsOutput(root, ["user", "list"])).toBe("ida\tida@example.com\teditor\tactive");

  const { url } = await serve(root);
  const post = (route: string, body: object) =>
    fetch(`${url}/api/auth/${route}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const password = "low water at nine";
  const change = { code: link.split("#")[1], password, passwordConfirmation: password };
  const { jwt } = await (await post("reset-password", change)).json();
  expect((await post("reset-password", change)).status).toBe(400);
  const described = async () =>
    (await fetch(`${url}/api/panel`, { headers: { authorization: `Bearer ${jwt}` } })).status;
  expect(await described()).toBe(200);
  await cmsOutput(root, ["user", "role", "ida", "authenticated"]);
  await expect.poll(described).toBe(403);
  await cmsOutput(root, ["user", "block", "ida@example.com"]);
  await expect.poll(described).toBe(401);
  expect(await cmsOutput(root, ["user", "list"])).toBe("ida\tida@example.com\tauthenticated\tblocked");
  // Whoever registers may have the address of somebody else as name, before that person is added.
  const registered = { username: "max@example.com", email: "eve@example.com", password };
  expect((await post("local/register", registered)).status).toBe(200);
  await cmsOutput(root, ["user", "add", "max", "max@example.com", "--role", "editor"]);
  await expect(cmsOutput(root, ["user", "role", "max@example.com", "administrator"])).rejects.toThrow(
    '"max@example.com" is the name of one user and the address of another.',
  );
});
