import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { planOutput } from "../../generator/output/plan.ts";
import { isInterrupted, recover, writeOutput } from "../../generator/output/write.ts";
import { emptyFolder } from "../support/cms.ts";
import { filesBelow } from "../support/golden.ts";

const files = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries).map(([path, text]) => ({ path, text }));

/** Brings a folder to a state by a run that nobody interrupts. */
const bring = (folder: string, entries: Readonly<Record<string, string>>): void =>
  writeOutput(
    folder,
    planOutput(folder, files(entries), () => true),
  );

const actionsOf = (folder: string, entries: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    planOutput(folder, files(entries), () => true).files.map(({ path, action, edited }) => [
      path,
      edited ? `${action}, edited` : action,
    ]),
  );

test("a plan creates, updates, keeps and deletes", async () => {
  const folder = await emptyFolder();
  bring(folder, { "a/kept.ts": "kept\n", "a/changed.ts": "old\n", "b/gone.ts": "gone\n" });
  const wanted = { "a/kept.ts": "kept\n", "a/changed.ts": "new\n", "c/new.ts": "new\n" };
  expect(actionsOf(folder, wanted)).toEqual({
    "a/kept.ts": "keep",
    "a/changed.ts": "update",
    "b/gone.ts": "delete",
    "c/new.ts": "create",
    ".manifest/a.json": "update",
    ".manifest/b.json": "delete",
    ".manifest/c.json": "create",
  });
  bring(folder, wanted);
  expect(filesBelow(folder)).toEqual([".manifest/a.json", ".manifest/c.json", "a/changed.ts", "a/kept.ts", "c/new.ts"]);
  expect(existsSync(path.join(folder, "b"))).toBe(false);
  expect(actionsOf(folder, wanted)).toMatchObject({ "a/changed.ts": "keep", ".manifest/a.json": "keep" });
});

test("a file that stays as it is, is not touched", async () => {
  const folder = await emptyFolder();
  bring(folder, { "a.ts": "a\n", "b.ts": "b\n" });
  const { ino, mtimeMs } = statSync(path.join(folder, "a.ts"));
  bring(folder, { "a.ts": "a\n", "b.ts": "changed\n" });
  expect(statSync(path.join(folder, "a.ts"))).toMatchObject({ ino, mtimeMs });
});

test("a checkout that turned line ends into those of its system is not edited by hand", async () => {
  const folder = await emptyFolder();
  bring(folder, { "x/a.ts": "a\nb\n", "x/b.ts": "old\n" });
  for (const name of ["x/a.ts", "x/b.ts", ".manifest/x.json"]) {
    const full = path.join(folder, name);
    writeFileSync(full, readFileSync(full, "utf8").replaceAll("\n", "\r\n"));
  }
  expect(actionsOf(folder, { "x/a.ts": "a\nb\n", "x/b.ts": "new\n" })).toEqual({
    "x/a.ts": "keep",
    "x/b.ts": "update",
    ".manifest/x.json": "update",
  });
});

test("a file that the manifest does not list stays", async () => {
  const folder = await emptyFolder();
  bring(folder, { "a/a.ts": "a\n" });
  writeFileSync(path.join(folder, "a", "mine.ts"), "mine\n");
  bring(folder, { "x/b.ts": "b\n" });
  expect(filesBelow(folder)).toEqual([".manifest/x.json", "a/mine.ts", "x/b.ts"]);
});

test("files edited by hand are known by their bytes, also when they would be deleted", async () => {
  const folder = await emptyFolder();
  bring(folder, { "x/a.ts": "a\n", "x/b.ts": "b\n" });
  writeFileSync(path.join(folder, "x/a.ts"), "mine\n");
  writeFileSync(path.join(folder, "x/b.ts"), "mine\n");
  expect(actionsOf(folder, { "x/a.ts": "a\n" })).toMatchObject({
    "x/a.ts": "update, edited",
    "x/b.ts": "delete, edited",
  });
});

test("a file that all types share is edited when nobody knows its text", async () => {
  const folder = await emptyFolder();
  bring(folder, { "index.ts": "old\n", "x/a.ts": "a\n" });
  expect(text(folder, ".manifest/.shared.json")).toBe('{\n  "index.ts": null\n}\n');
  const planned = (isKnown: boolean) =>
    planOutput(folder, files({ "index.ts": "new\n", "x/a.ts": "a\n" }), () => isKnown).files.map(
      ({ edited }) => edited,
    );
  expect(planned(true)).not.toContain(true);
  expect(planned(false)).toContain(true);
});

test("a foreign file in the way counts as edited", async () => {
  const folder = await emptyFolder();
  mkdirSync(path.join(folder, "x"));
  writeFileSync(path.join(folder, "x/a.ts"), "mine\n");
  expect(actionsOf(folder, { "x/a.ts": "a\n" })).toMatchObject({ "x/a.ts": "update, edited" });
});

const text = (folder: string, name: string): string => readFileSync(path.join(folder, name), "utf8");

test("a run that was interrupted while it prepared its files leaves the old ones", async () => {
  const folder = await emptyFolder();
  bring(folder, { "x/a.ts": "old\n" });
  mkdirSync(path.join(folder, ".pending", "files"), { recursive: true });
  writeFileSync(path.join(folder, ".pending", "files", "0"), "half of the n");
  recover(folder);
  expect(text(folder, "x/a.ts")).toBe("old\n");
  expect(filesBelow(folder)).toEqual([".manifest/x.json", "x/a.ts"]);
});

/** The state of a run that decided, and then moved only the files in `moved` into place. */
const interrupt = (folder: string, moved: readonly string[]): void => {
  const after = { "x/a.ts": "new a\n", "x/b.ts": "new b\n" };
  const pending = path.join(folder, ".pending");
  mkdirSync(path.join(pending, "files"), { recursive: true });
  for (const [index, [name, content]] of Object.entries(after).entries()) {
    const staged = path.join(pending, "files", String(index));
    writeFileSync(moved.includes(name) ? path.join(folder, name) : staged, content);
  }
  writeFileSync(
    path.join(pending, "journal.json"),
    JSON.stringify({ move: Object.keys(after), delete: ["x/gone.ts"] }),
  );
};

test.each([[[]], [["x/a.ts"]], [["x/a.ts", "x/b.ts"]]])(
  "a run that was interrupted after moving %j is finished by the next",
  async (moved) => {
    const folder = await emptyFolder();
    bring(folder, { "x/a.ts": "old\n", "x/b.ts": "old\n", "x/gone.ts": "gone\n" });
    interrupt(folder, moved);
    expect(isInterrupted(folder)).toBe(true);
    recover(folder);
    expect(isInterrupted(folder)).toBe(false);
    expect(filesBelow(folder)).toEqual([".manifest/x.json", "x/a.ts", "x/b.ts"]);
    expect([text(folder, "x/a.ts"), text(folder, "x/b.ts")]).toEqual(["new a\n", "new b\n"]);
  },
);
