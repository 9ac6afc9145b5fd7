import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cmsOutput, cmsProcess, emptyFolder, serve } from "../support/cms.ts";
import { useServer } from "../support/project.ts";

/** Keeps files where the local provider does, and kills the server once a file called "fatal" is stored. */
const FATAL_CONFIG = `
import { createWriteStream, mkdirSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { defineConfig } from "galley-cms";

const folder = new URL("./public/uploads/", import.meta.url);
export default defineConfig({
  media: {
    provider: {
      name: "local",
      async put(key, body) {
        mkdirSync(folder, { recursive: true });
        await pipeline(body, createWriteStream(new URL(key, folder)));
        if (key.startsWith("fatal")) process.kill(process.pid, "SIGKILL");
      },
      stat: async () => undefined,
      read: async () => undefined,
      delete: async () => {},
      url: (key) => "/uploads/" + key,
      async *list() {},
    },
  },
});
`;

test("what a server leaves that is killed between storing and recording is found and mended", async () => {
  const root = await emptyFolder();
  await mkdir(path.join(root, "content-types"));
  await writeFile(path.join(root, "cms.config.ts"), FATAL_CONFIG);
  await cmsOutput(root, ["generate"]);
  await useServer(root);
  await cmsOutput(root, ["migrate"]);
  const token = await cmsOutput(root, ["token", "create", "--name", "test", "--type", "full-access"]);
  const headers = { authorization: `Bearer ${token}` };
  const upload = (url: string, name: string): Promise<Response> => {
    const body = new FormData();
    body.append("files", new Blob(["content"], { type: "text/plain" }), name);
    return fetch(`${url}/api/upload`, { method: "POST", headers, body });
  };

  const dying = await serve(root);
  expect((await upload(dying.url, "kept.txt")).status).toBe(201);
  await expect(upload(dying.url, "fatal.txt")).rejects.toThrow();
  await dying.stop();

  await writeFile(path.join(root, "cms.config.ts"), "export default {};\n");
  const folder = path.join(root, "public", "uploads");
  const orphan = (await readdir(folder)).find((name) => name.startsWith("fatal")) ?? "none";
  const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(path.join(folder, orphan), twoHoursAgo, twoHoursAgo);
  const found = await cmsProcess(root, ["media", "check"]);
  expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining(`file without a record: ${orphan}\n`) });
  expect(await cmsOutput(root, ["media", "check", "--repair", "--older-than", "0"])).toContain("repaired");
  expect(await readdir(folder)).toHaveLength(1);

  const { url } = await serve(root);
  const files = await (await fetch(`${url}/api/upload/files`, { headers })).json();
  expect(files).toMatchObject([{ name: "kept.txt" }]);
  expect(await (await fetch(url + files[0].url)).text()).toBe("content");
});
