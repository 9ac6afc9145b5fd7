/**
 * Two processes over the folder of one embedded database, as two containers with one volume are: whatever either of them
 * acknowledged is there in the end. The second has process numbers of its own, so that it cannot see the first.
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { cms, cmsOutput, run, serveBy, startCms } from "../support/cms.ts";
import { freePort } from "../support/free-port.ts";
import { program } from "../support/processes.ts";
import { SOON } from "../support/soon.ts";
import { workspace, writeFiles } from "../support/workspace.ts";

const schema = {
  kind: "collectionType",
  info: { singularName: "thing", pluralName: "things", displayName: "Thing" },
  attributes: { name: { type: "string" } },
};

const env = {
  NODE_ENV: "production",
  DATABASE_EMBEDDED: "true",
  JWT_SECRET: "a secret for this test only, long enough",
  API_TOKEN_SALT: "a salt for this test only",
};

/** Runs a command where processes have numbers of their own; it ends with the one that started it. */
const elsewhere = ["-U", "-r", "-p", "-f", "--mount-proc", "--kill-child", process.execPath, program];
const canBeElsewhere = spawnSync("unshare", [...elsewhere.slice(0, -1), "-e", "0"]).status === 0;

const prepare = async () => {
  const root = workspace();
  writeFiles(root, [["content-types/thing/schema.json", JSON.stringify(schema)]]);
  await cmsOutput(root, ["generate"], env);
  await cmsOutput(root, ["migrate"], env);
  const token = await cmsOutput(root, ["token", "create", "--name", "count", "--type", "full-access"], env);
  return { root, headers: { authorization: `Bearer ${token}`, "content-type": "application/json" } };
};

const namesOf = async (url: string, headers: Readonly<Record<string, string>>): Promise<string[]> => {
  const names: string[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await fetch(`${url}/api/things?sort=id&pagination[page]=${page}&pagination[pageSize]=100`, {
      headers,
    });
    const found = [...(await answer.text()).matchAll(/"name":"(.*?)"/g)].map(([, name = ""]) => name);
    if (found.length === 0) return names;
    names.push(...found);
  }
};

test.runIf(canBeElsewhere)(
  "what either of two processes over one folder has acknowledged is there, whoever stood still meanwhile",
  async () => {
    const { root, headers } = await prepare();
    const acknowledged: string[] = [];
    let count = 0;
    const write = async (url: string): Promise<boolean> => {
      const name = `thing ${(count += 1)}`;
      const request = { method: "POST", headers, body: JSON.stringify({ data: { name } }) };
      const response = await fetch(`${url}/api/things`, request).catch(() => undefined);
      if (response?.status === 201) acknowledged.push(name);
      return response?.status === 201;
    };
    const writeOn = async (url: string): Promise<void> => {
      while (first.child.exitCode === null && first.child.signalCode === null) {
        await write(url);
        await sleep(20);
      }
    };

    const port = await freePort();
    const first = startCms(root, ["start", "--port", String(port)], env);
    onTestFinished(() => void first.child.kill("SIGKILL"));
    const writers = Array.from({ length: 4 }, () => writeOn(`http://127.0.0.1:${port}`));
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), SOON);
    const here = await cms(root, ["start"], env);
    const there = await run("unshare", [...elsewhere, "start"], { cwd: root, env });
    for (const { code, stderr } of [here, there]) {
      expect(code).not.toBe(0);
      expect(stderr).toContain('in use by "cms start"');
    }

    first.child.kill("SIGSTOP");
    const { url } = await serveBy("unshare", [...elsewhere, "start"], root, await freePort(), env);
    for (let index = 0; index < 20; index += 1) expect(await write(url)).toBe(true);
    const ended = once(first.child, "exit");
    first.child.kill("SIGCONT");
    await Promise.all([ended, ...writers, ...Array.from({ length: 20 }, () => write(url))]);

    const stored = new Set(await namesOf(url, headers));
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  },
);
