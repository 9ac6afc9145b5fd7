/** The project of the page about several teams, attacked by a member of one of them. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cmsOutput, serve } from "../support/cms.ts";
import { blocksOf } from "../support/doc-blocks.ts";
import { generatedProject, useServer } from "../support/project.ts";
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

/** The project that `cms init` begins, with the lines about roles in force, and what they ask for. */
const withRoles = async (): Promise<string> => {
  const root = await generatedProject();
  const edit = async (file: string, change: (text: string) => string) =>
    writeFile(path.join(root, file), change(await readFile(path.join(root, file), "utf8")));
  await edit("cms.config.ts", (text) =>
    text
      .replace("import { defineConfig }", "import { can, defineConfig }")
      .replaceAll(/^ {4}\/\/ ((?:editor|author): .*| {2}.*|\],)$/gm, "    $1"),
  );
  const owner =
    '"owner": { "type": "relation", "relation": "manyToOne", "target": "plugin::users-permissions.user", "writable": false },';
  await edit("content-types/article/schema.json", (text) =>
    text.replace('"attributes": {', `"attributes": { ${owner}`),
  );
  const hook = /^ *\/\/ (beforeCreate: .*)\.$/m.exec(await readFile(path.join(root, "cms.config.ts"), "utf8"))?.[1];
  await cmsOutput(root, ["add", "extension", "article"]);
  await edit("content-types/article/extension.ts", (text) => text.replace("hooks: {", `hooks: { ${hook},`));
  await useServer(root);
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["migrate"]);
  return root;
};

test("the roles that a new project is shown work once their lines are in force", { timeout: 120_000 }, async () => {
  const root = await withRoles();
  const admin = await cmsOutput(root, ["token", "create", "--name", "admin", "--type", "full-access"]);
  const { url } = await serve(root);
  const send = async (token: string, method: string, address: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}/api/${address}`, { method, headers, ...sent });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
  };
  for (const name of ["editor", "author"])
    expect(await send(admin, "POST", "users-permissions/roles", { name, permissions: {} })).toMatchObject({
      status: 200,
    });
  await cmsOutput(root, ["permissions", "apply"]);
  const { roles } = (await send(admin, "GET", "users-permissions/roles")).body;
  const member = async (username: string, type: string): Promise<string> => {
    const [email, password] = [`${username}@example.com`, "low water at nine"];
    const role = roles.find((each: { type: string }) => each.type === type).id;
    const user = { username, email, password, role, confirmed: true };
    expect(await send(admin, "POST", "users", user)).toMatchObject({ status: 201 });
    return (await send(admin, "POST", "auth/local", { identifier: email, password })).body.jwt;
  };
  const [ann, bob, eve] = [await member("ann", "author"), await member("bob", "author"), await member("eve", "editor")];
  const made = await send(ann, "POST", "articles?status=draft", { data: { title: "Tide", slug: "tide" } });
  expect(made).toMatchObject({ status: 201, body: { data: { title: "Tide" } } });
  const address = `articles/${made.body.data.documentId}`;
  const statuses = async (token: string) => [
    (await send(token, "GET", `${address}?status=draft`)).status,
    (await send(token, "PUT", `${address}?status=draft`, { data: { body: "x" } })).status,
    (await send(token, "POST", `${address}/actions/publish`)).status,
  ];
  expect(await statuses(bob)).toEqual([404, 404, 403]);
  expect(await statuses(ann)).toEqual([200, 200, 403]);
  expect(await statuses(eve)).toEqual([200, 200, 200]);
  expect((await send(bob, "DELETE", address)).status).toBe(403);
  expect((await send(ann, "DELETE", address)).status).toBe(204);
});
