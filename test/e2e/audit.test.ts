/** What commands leave in the audit log, and `cms audit`. */
import { hostname } from "node:os";
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
