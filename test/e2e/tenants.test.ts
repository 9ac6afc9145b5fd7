/** The project of the page about several teams, attacked by a member of one of them. */
import path from "node:path";
import { expect, test } from "vitest";
import { cmsOutput, serve } from "../support/cms.ts";
import { blocksOf } from "../support/doc-blocks.ts";
import { useServer } from "../support/project.ts";
import { typeCheck, workspace, writeFiles } from "../support/workspace.ts";

const PAGE = "build/tenants.md";

const built = async (): Promise<string> => {
  const root = workspace();
  const files = (await blocksOf(PAGE)).map(({ file = "", text }) => [file, text] as const);
  expect(files.map(([file]) => path.basename(file))).toEqual(["schema.json", "schema.json", "cms.config.ts"]);
  writeFiles(root, files);
  await useServer(root);
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["migrate"]);
  await cmsOutput(root, ["permissions", "apply"]);
  return root;
};

test("a member of one team learns nothing of another, and changes nothing of it", { timeout: 120_000 }, async () => {
  const root = await built();
  expect((await typeCheck(root, ["generated", "cms.config.ts"])).stdout).toBe("");
  const admin = await cmsOutput(root, ["token", "create", "--name", "admin", "--type", "full-access"]);
  const { url } = await serve(root);
  const send = async (token: string, method: string, address: string, data?: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = data === undefined ? {} : { body: JSON.stringify({ data }) };
    const answer = await fetch(`${url}/api/${address}`, { method, headers, ...sent });
    const text = await answer.text();
    return {
      status: answer.status,
      body: text === "" ? null : JSON.parse(text),
      etag: answer.headers.get("etag") ?? "",
    };
  };
  const member = async (name: string) => {
    const body = JSON.stringify({ username: name, email: `${name}@example.com`, password: "low water at nine" });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/api/auth/local/register`, { method: "POST", headers, body });
    const { jwt, user } = await answer.json();
    const team = await send(admin, "POST", "teams", { name, members: [user.id] });
    const teamId: string = team.body.data.documentId;
    const note = await send(jwt, "POST", "notes", { text: `of ${name}`, team: teamId });
    expect(note.status).toBe(201);
    return { token: String(jwt), team: teamId, note: String(note.body.data.documentId) };
  };
  const [ann, bob] = [await member("ann"), await member("bob")];

  for (const query of [
    "",
    "?sort=team.name:desc",
    "?_q=of",
    `?filters[team][name]=bob`,
    "?filters[$not][team][name]=ann",
  ]) {
    const { body } = await send(ann.token, "GET", `notes${query}`);
    expect(JSON.stringify(body)).not.toContain(bob.note);
    expect(body.meta.pagination.total).toBe(query.includes("filters") ? 0 : 1);
  }
  expect((await send(ann.token, "GET", "teams?populate=notes")).body.data).toMatchObject([
    { documentId: ann.team, notes: [{ documentId: ann.note }] },
  ]);
  const wrong: readonly (readonly [string, string, object | undefined, number])[] = [
    ["POST", "notes", { text: "x", team: bob.team }, 400],
    ["POST", "notes", { text: "x" }, 403],
    ["PUT", `notes/${bob.note}`, { text: "x" }, 404],
    ["PUT", `notes/${bob.note}`, { team: ann.team }, 404],
    ["PUT", `notes/${ann.note}`, { team: bob.team }, 400],
    ["PUT", `notes/${ann.note}`, { team: null }, 403],
    ["PUT", `teams/${bob.team}`, { name: "x" }, 404],
    ["PUT", `teams/${ann.team}`, { notes: { connect: [bob.note] } }, 400],
    ["PUT", `teams/${ann.team}`, { notes: [] }, 403],
    ["PUT", `teams/${ann.team}`, { members: [] }, 400],
    ["DELETE", `notes/${bob.note}`, undefined, 204],
  ];
  for (const [method, address, data, status] of wrong) {
    const answer = await send(ann.token, method, address, data);
    expect([method, address, answer.status]).toEqual([method, address, status]);
  }
  // Often enough to be answered from memory, by turns: never with the answer of the other.
  for (let turn = 0; turn < 4; turn += 1) {
    for (const each of [ann, bob]) {
      const { body } = await send(each.token, "GET", "notes?fields=text");
      expect(body.data).toMatchObject([{ documentId: each.note, text: `of ${each === ann ? "ann" : "bob"}` }]);
    }
  }
  const { etag } = await send(bob.token, "GET", "notes?fields=text");
  const headers = { authorization: `Bearer ${ann.token}`, "if-none-match": etag };
  expect((await fetch(`${url}/api/notes?fields=text`, { headers })).status).toBe(200);
  expect((await send(admin, "GET", "notes?populate=team&sort=text")).body.data).toMatchObject([
    { text: "of ann", team: { documentId: ann.team } },
    { text: "of bob", team: { documentId: bob.team } },
  ]);
});
