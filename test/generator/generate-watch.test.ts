import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { emptyFolder, repository } from "../support/cms.ts";
import { goldenFolder } from "../support/golden.ts";
import { SOON } from "../support/soon.ts";

const program = path.join(repository, "dist", "generator", "cli.js");

test("--watch generates again after a change, survives a broken schema, and ends with 0", async () => {
  const folder = await emptyFolder();
  cpSync(path.join(goldenFolder("media"), "content-types"), path.join(folder, "content-types"), { recursive: true });
  const child = spawn(process.execPath, [program, "generate", "--watch"], { cwd: folder });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  await vi.waitFor(() => expect(output).toContain("watching"), SOON);

  const schema = path.join(folder, "content-types", "gallery", "schema.json");
  const table = path.join(folder, "generated", "gallery", "table.ts");
  const text = readFileSync(schema, "utf8");
  writeFileSync(schema, text.replace('"attributes": {', '"attributes": {,'));
  await vi.waitFor(() => expect(output).toContain("CMS1"), SOON);
  writeFileSync(schema, text.replace('"attributes": {', '"attributes": { "subtitle": { "type": "string" },'));
  await vi.waitFor(() => expect(readFileSync(table, "utf8")).toContain("subtitle"), SOON);

  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});
