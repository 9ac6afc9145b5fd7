/** Every command of the README runs, in its order. What installs from a registry is done from this checkout instead. */
import { cp, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder, repository, run, serveBy } from "../support/cms.ts";
import { freePort } from "../support/free-port.ts";
import { documentedCommand, installPacked } from "../support/packed.ts";

const START = "npm ci && npm start";
const TEST = "npm ci && npm test";
const INSTALL = "npm install galley-cms";
const SERVE = "npx cms dev";

/** The commands below a heading of the README: one text per block. */
const commandsBelow = async (heading: string): Promise<readonly string[]> => {
  const readme = await readFile(path.join(repository, "README.md"), "utf8");
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block.trim());
};

const shell = async (script: string, cwd: string): Promise<string> => {
  const { code, stdout, stderr } = await run("bash", ["-euc", script], { cwd });
  if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${stdout}${stderr}`);
  return stdout;
};

/** Runs a request of the README against a server on another port. */
const ask = async (script: string, port: number, cwd: string): Promise<unknown[]> => {
  const answers = await shell(
    script.replaceAll("localhost:1337", `127.0.0.1:${port}`).replaceAll("curl ", "curl -sS "),
    cwd,
  );
  return answers
    .split(/(?<=\})(?=\{)/)
    .filter((text) => text.trim() !== "")
    .map((text): unknown => JSON.parse(text));
};

/** A fresh clone after `npm ci`: the files under version control, the packages, and what was built. */
const clone = async (): Promise<string> => {
  const folder = await emptyFolder();
  await shell(
    `git ls-files -z | tar --null --create --files-from - | tar --extract --directory '${folder}'`,
    repository,
  );
  await cp(path.join(repository, "dist"), path.join(folder, "dist"), { recursive: true });
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"), "dir");
  return folder;
};

test("a fresh clone serves the example after one command, and the first request is answered", async () => {
  const [start, request = "", tests] = await commandsBelow("Try it");
  expect([start, tests]).toEqual([START, TEST]);
  const folder = await clone();
  const port = await freePort();
  await serveBy("npm", ["start"], folder, port);
  expect(await ask(request, port, folder)).toMatchObject([
    {
      data: [{ author: { slug: expect.any(String) } }, {}, {}],
      meta: { pagination: { pageSize: 3, total: 12 } },
    },
  ]);
});

test("the other command is what continuous integration runs", async () => {
  const script = await readFile(path.join(repository, ".ci/run"), "utf8");
  expect(script.replaceAll("\n", " && ")).toContain(TEST);
});

test("an empty folder becomes a server by the commands of the README", async () => {
  const [install = "", served, asked = ""] = await commandsBelow("Your first content type");
  const folder = await emptyFolder();
  expect(install.split("\n")[0]).toBe(INSTALL);
  await installPacked(folder);
  for (const command of install.split("\n").slice(1)) await documentedCommand(command, folder);

  expect(served).toBe(SERVE);
  const port = await freePort();
  await serveBy("npx", ["cms", "dev"], folder, port);
  const [token = "", ...request] = asked.split("\n");
  await documentedCommand(token, folder);
  expect(await ask(request.join("\n"), port, folder)).toMatchObject([
    { data: { title: "Hello" } },
    { data: [{ title: "Hello", slug: "hello" }] },
  ]);
});
