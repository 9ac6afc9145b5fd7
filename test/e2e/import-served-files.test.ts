/** `cms import --files URL`: bytes that an archive does not have come from the server that has handed them out so far. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { atEndOfTest, cms } from "../support/cms.ts";
import { bytes, published } from "../support/exported-content.ts";
import { exportedSchemas, freshTables, generatedImportProject } from "../support/import-project.ts";
import { type Exported, writeArchive } from "../support/strapi-archive.ts";

test("files come from a server, and those that it does not give are told without ending the import", async () => {
  const root = await generatedImportProject(atEndOfTest);
  await freshTables(root, atEndOfTest);
  const names = ["good", "plain", "gone", "login", "broken"];
  const server = createServer((request, response) => {
    if (request.url === "/uploads/good_1.bin")
      return void response.writeHead(200, { "Content-Length": bytes.length }).end(bytes);
    if (request.url === "/uploads/plain_1.bin") return void response.writeHead(200).write(bytes, () => response.end());
    if (request.url === "/uploads/login_1.bin") return void response.writeHead(302, { Location: "/sign-in" }).end();
    if (request.url === "/sign-in") return void response.writeHead(200, { "Content-Type": "text/html" }).end("<html>");
    if (request.url !== "/uploads/broken_1.bin") return void response.writeHead(404).end();
    response.writeHead(200, { "Content-Length": 1_000_000 });
    return void response.write(bytes, () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEndOfTest(() => new Promise((resolve) => server.close(resolve)));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  // Another service of this machine: an archive cannot make the import ask it.
  let asked = 0;
  const inner = createServer((_request, response) => void response.end(`secret ${++asked}`));
  await new Promise<void>((resolve) => inner.listen(0, "127.0.0.1", resolve));
  atEndOfTest(() => new Promise((resolve) => inner.close(resolve)));
  const { port: secret } = z.object({ port: z.number() }).parse(inner.address());
  const archive = path.join(root, "served.tar.gz");
  const entities = [...names, "odd", "inner"].map((name, index): Exported["entities"][number] => [
    "plugin::upload.file",
    index + 1,
    {
      documentId: name.padEnd(24, "x"),
      name,
      hash: `${name}_1`,
      ext: ".bin",
      mime: "application/octet-stream",
      size: 0.02,
      url: { odd: "http://[", inner: `http://127.0.0.1:${secret}/` }[name] ?? `/uploads/${name}_1.bin`,
      provider: "local",
      ...published,
    },
  ]);
  await writeArchive(archive, { schemas: exportedSchemas, entities, links: [] });
  const imported = await cms(root, ["import", archive, "--files", `http://127.0.0.1:${port}`]);
  expect(imported).toMatchObject({ code: 1, stderr: "" });
  expect(imported.stdout).toContain("plugin::upload.file: 7 created");
  expect(imported.stdout).toContain("5 x plugin::upload.file: its bytes are not there");
  expect(asked).toBe(0);
  for (const name of ["good", "plain"])
    expect(await readFile(path.join(root, `public/uploads/${name}_1.bin`))).toEqual(bytes);
  for (const name of ["gone", "login", "broken", "inner"])
    await expect(readFile(path.join(root, `public/uploads/${name}_1.bin`))).rejects.toThrow("ENOENT");
});
