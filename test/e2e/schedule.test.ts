/** Publishing at a time, by processes that are killed. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import postgres from "postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { cmsOutput, cms, startCms } from "../support/cms.ts";
import { freePort } from "../support/free-port.ts";
import { generatedProject, useServer } from "../support/project.ts";
import { SOON } from "../support/soon.ts";

const start = async (root: string) => {
  const port = await freePort();
  const { child } = startCms(root, ["start", "--port", String(port)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const ready = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${port}/_health/ready`).catch(() => undefined))?.status === 204;
  await vi.waitUntil(ready, SOON);
  return { child, address: `http://127.0.0.1:${port}/api/articles` };
};

test("of two processes, one killed while documents are due, each document is published once, and the list says so", async () => {
  const root = await generatedProject();
  await useServer(root);
  expect((await cms(root, ["schedule", "list"])).stderr).toContain("behind");
  const file = path.join(root, "content-types/article/schema.json");
  const schema: unknown = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...Object(schema), options: { draftAndPublish: true, schedule: true } }));
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["migrate"]);
  expect(await cmsOutput(root, ["schedule", "list"])).toBe("Nothing is scheduled.");
  const token = (await cmsOutput(root, ["token", "create", "--name", "editor", "--type", "full-access"])).trim();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const [first, second] = [await start(root), await start(root)];
  const post = async (url: string, data: object): Promise<{ readonly data: { readonly documentId: string } }> =>
    (await fetch(url, { method: "POST", headers, body: JSON.stringify({ data }) })).json();
  const publishAt = new Date(Date.now() + 3_600_000).toISOString();
  for (let index = 0; index < 30; index += 1) {
    const { data } = await post(`${first.address}?status=draft`, { title: `Title ${index}`, slug: `s${index}` });
    await post(`${first.address}/${data.documentId}/actions/schedule`, { publishAt });
  }
  const listed = (await cmsOutput(root, ["schedule", "list"])).split("\n");
  expect(listed).toHaveLength(30);
  expect(listed[0]).toMatch(/^\S+Z\tpublish\tapi::article\.article\t\w{24}\t\S+\twaiting\ttoken \d+$/);
  const total = async (): Promise<unknown> => {
    const answer = await fetch(`${second.address}?pagination[pageSize]=1`, { headers });
    const body: unknown = await answer.json();
    return Object(Object(Object(body).meta).pagination).total;
  };
  const sql = postgres(/DATABASE_URL=(\S+)/.exec(await readFile(path.join(root, ".env"), "utf8"))?.[1] ?? "", {
    max: 1,
  });
  onTestFinished(() => sql.end());
  await sql`update document_schedules set at = now() at time zone 'utc' + interval '1 second'`;
  await vi.waitUntil(async () => Number(await total()) > 0, { ...SOON, interval: 5 });
  first.child.kill("SIGKILL");
  await vi.waitUntil(async () => (await total()) === 30, SOON);
  const rows = await sql`select state, count(*)::int as count from document_schedules group by state`;
  expect(rows).toEqual([{ state: "done", count: 30 }]);
  expect(await cmsOutput(root, ["schedule", "list"])).toBe("Nothing is scheduled.");
  expect((await cmsOutput(root, ["schedule", "list", "--all"])).split("\n")).toHaveLength(30);
});
