/** What commands leave in the audit log, and `cms audit`. */
import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { cms, cmsOutput } from "../support/cms.ts";
import { blocksOf } from "../support/doc-blocks.ts";
import { useServer } from "../support/project.ts";
import { workspace, writeFiles } from "../support/workspace.ts";

const note = {
  kind: "collectionType",
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  attributes: { title: { type: "string" } },
};

const by = (id: string) => ({ kind: "command", id, name: expect.stringContaining(`@${hostname()}`) });

test("commands are recorded with who ran them, and cms audit lists and filters that", async () => {
  const root = workspace();
  const [config] = await blocksOf("run/audit.md");
  writeFiles(root, [
    ["content-types/note/schema.json", JSON.stringify(note)],
    ["cms.config.ts", config?.text ?? ""],
  ]);
  await useServer(root);
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["migrate"]);
  await cmsOutput(root, ["token", "create", "--name", "site\u001B[31m"]);
  await cmsOutput(root, ["token", "regenerate", "site\u001B[31m"]);
  await cmsOutput(root, ["export", "content.tar.gz"]);
  await cmsOutput(root, ["token", "revoke", "site\u001B[31m"]);
  const lines = (await cmsOutput(root, ["audit", "--json"])).split("\n").map((line) => JSON.parse(line));
  const token = { type: "token", name: "site\u001B[31m" };
  expect(lines).toMatchObject([
    { action: "token.revoke", subject: token, by: by("cms token revoke") },
    { action: "content.export", subject: { id: "content.tar.gz" }, details: { files: true, encrypted: false } },
    { action: "token.regenerate", subject: token },
    { action: "token.create", subject: token, details: { type: "read-only" }, address: null },
    { action: "migration.apply", by: by("cms migrate") },
  ]);
  const shown = await cmsOutput(root, ["audit", "--action", "token", "--limit", "2"]);
  expect(shown.split("\n")).toHaveLength(2);
  expect(shown).not.toContain("\u001B");
  expect(await cmsOutput(root, ["audit", "--since", "2999-01-01"])).toBe("");
  expect(await cmsOutput(root, ["audit", "--until", new Date().toISOString(), "--by", "cms migrate"])).toContain(
    "migration.apply",
  );
  const wrong = await cms(root, ["audit", "--action", "tokn"]);
  expect([wrong.code, wrong.stderr]).toMatchObject([2, expect.stringContaining('Did you mean "token"?')]);
});

const entries = async (root: string, ...args: string[]) =>
  (await cmsOutput(root, ["audit", "--json", ...args])).split("\n").map((line) => JSON.parse(line));

const SEED = `import { defineSeed } from "galley-cms";

export default defineSeed(async ({ document, file }) => {
  await file("dot.txt");
  await document("api::note.note", { key: "title", data: { title: "One" } });
});
`;

test("what commands import, seed, delete and grant is recorded, with counts and no content", async () => {
  const root = workspace();
  const find = "api::note.note.find";
  writeFiles(root, [
    ["content-types/note/schema.json", JSON.stringify(note)],
    ["content-types/seed/index.ts", SEED],
    ["content-types/seed/dot.txt", "dot"],
    ["cms.config.ts", `export default { audit: true };\n`],
    ["granted.json", JSON.stringify({ public: [find] })],
    ["revoked.json", JSON.stringify({ public: [] })],
  ]);
  await useServer(root);
  for (const args of [["generate"], ["migrate"], ["seed"]]) await cmsOutput(root, args);
  await cmsOutput(root, ["permissions", "apply", "granted.json"]);
  await cmsOutput(root, ["export", "content.tar.gz"]);
  await cmsOutput(root, ["permissions", "apply", "revoked.json"]);
  await cmsOutput(root, ["seed", "--reset", "--allow-loss"]);
  await cmsOutput(root, ["import", "content.tar.gz", "--dry-run"]);
  await cmsOutput(root, ["import", "content.tar.gz"]);
  await rm(path.join(root, "public/uploads"), { recursive: true });
  await cmsOutput(root, ["media", "check", "--repair", "--force"]);
  const archive = { action: "content.import", subject: { type: "export", id: "content.tar.gz" }, by: by("cms import") };
  const seeded = { action: "content.seed", by: by("cms seed") };
  const found = await entries(root, "--action", "content,document,file,permissions");
  expect(found).toMatchObject([
    { action: "file.delete", subject: { name: "dot.txt" }, by: by("cms media check") },
    { action: "file.delete", subject: { name: "dot.txt" }, by: by("cms media check") },
    { ...archive, details: { created: { "api::note.note": 1 } } },
    { action: "permissions.change", subject: { name: "public" }, details: { granted: [find] }, by: by("cms import") },
    { ...archive, details: {} },
    { ...seeded, details: { created: 2, present: 0 } },
    { ...seeded, details: {} },
    { action: "file.delete", subject: { name: "dot.txt" }, by: by("cms seed") },
    { action: "document.delete", subject: { type: "api::note.note" }, by: by("cms seed") },
    { action: "permissions.change", details: { revoked: [find] }, by: by("cms permissions apply") },
    { action: "content.export" },
    { action: "permissions.change", details: { granted: [find] }, by: by("cms permissions apply") },
    { ...seeded, details: { created: 2, present: 0 } },
    { ...seeded, details: {} },
  ]);
});

test("migrations that are undone, replaced, or run on an emptied database are recorded", async () => {
  const root = workspace();
  writeFiles(root, [
    ["content-types/note/schema.json", JSON.stringify(note)],
    ["content-types/seed/index.ts", SEED.replace(/ +await file.*/, "  void file;")],
    ["cms.config.ts", `export default { audit: true };\n`],
  ]);
  await useServer(root);
  for (const args of [["generate"], ["migrate"], ["seed"]]) await cmsOutput(root, args);
  writeFiles(root, [
    ["content-types/note/schema.json", JSON.stringify({ ...note, attributes: { title: { type: "text" } } })],
  ]);
  await cmsOutput(root, ["generate"]);
  for (const args of [["migrate"], ["migrate", "down", "--allow-loss"], ["migrate"]]) await cmsOutput(root, args);
  const [last, , first] = (await entries(root, "--action", "migration.apply")).map(({ subject }) => subject.id);
  await cmsOutput(root, ["migrate", "squash", "--from", first]);
  await cmsOutput(root, ["migrate"]);
  expect(await entries(root, "--action", "migration", "--limit", "3")).toMatchObject([
    { action: "migration.replace", details: { replaced: [first, last] }, by: by("cms migrate") },
    { action: "migration.apply", subject: { id: last } },
    { action: "migration.undo", subject: { id: last } },
  ]);
  await cmsOutput(root, ["migrate", "reset", "--allow-loss"]);
  expect(await entries(root)).toMatchObject([
    // Two roles and a note.
    { action: "migration.reset", details: { deleted: ["3 documents"] }, by: by("cms migrate reset") },
    { action: "migration.apply", by: by("cms migrate reset") },
  ]);
});
