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
  writeOutput(folder, planOutput(folder, files(entries), "1.0.0"));

const actionsOf = (folder: string, entries: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    planOutput(folder, files(entries), "1.0.0").files.map(({ path, action, edited }) => [
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
    "manifest.json": "update",
  });
  bring(folder, wanted);
  expect(filesBelow(folder)).toEqual(["a/changed.ts", "a/kept.ts", "c/new.ts", "manifest.json"]);
  expect(existsSync(path.join(folder, "b"))).toBe(false);
  expect(actionsOf(folder, wanted)).toMatchObject({ "a/changed.ts": "keep", "manifest.json": "keep" });
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
  bring(folder, { "a.ts": "a\nb\n", "b.ts": "old\n" });
  for (const name of ["a.ts", "b.ts", "manifest.json"]) {
    const full = path.join(folder, name);
    writeFileSync(full, readFileSync(full, "utf8").replaceAll("\n", "\r\n"));
  }
  expect(actionsOf(folder, { "a.ts": "a\nb\n", "b.ts": "new\n" })).toEqual({
    "a.ts": "keep",
    "b.ts": "update",
    "manifest.json": "update",
  });
});

test("a file that the manifest does not list stays", async () => {
  const folder = await emptyFolder();
  bring(folder, { "a/a.ts": "a\n" });
  writeFileSync(path.join(folder, "a", "mine.ts"), "mine\n");
  bring(folder, { "b.ts": "b\n" });
  expect(filesBelow(folder)).toEqual(["a/mine.ts", "b.ts", "manifest.json"]);
});

test("files edited by hand are known by their bytes, also when they would be deleted", async () => {
  const folder = await emptyFolder();
  bring(folder, { "a.ts": "a\n", "b.ts": "b\n" });
  writeFileSync(path.join(folder, "a.ts"), "mine\n");
  writeFileSync(path.join(folder, "b.ts"), "mine\n");
  expect(actionsOf(folder, { "a.ts": "a\n" })).toMatchObject({ "a.ts": "update, edited", "b.ts": "delete, edited" });
});

test("a foreign file in the way counts as edited", async () => {
  const folder = await emptyFolder();
  writeFileSync(path.join(folder, "a.ts"), "mine\n");
  expect(actionsOf(folder, { "a.ts": "a\n" })).toMatchObject({ "a.ts": "update, edited" });
});

const text = (folder: string, name: string): string => readFileSync(path.join(folder, name), "utf8");

test("a run that was interrupted while it prepared its files leaves the old ones", async () => {
  const folder = await emptyFolder();
  bring(folder, { "a.ts": "old\n" });
  mkdirSync(path.join(folder, ".pending", "files"), { recursive: true });
  writeFileSync(path.join(folder, ".pending", "files", "a.ts"), "half of the n");
  recover(folder);
  expect(text(folder, "a.ts")).toBe("old\n");
  expect(filesBelow(folder)).toEqual(["a.ts", "manifest.json"]);
});

/** The state of a run that decided, and then moved only the files in `moved` into place. */
const interrupt = (folder: string, moved: readonly string[]): void => {
  const after = { "a.ts": "new a\n", "b.ts": "new b\n" };
  const pending = path.join(folder, ".pending");
  mkdirSync(path.join(pending, "files"), { recursive: true });
  for (const [name, content] of Object.entries(after)) {
    writeFileSync(moved.includes(name) ? path.join(folder, name) : path.join(pending, "files", name), content);
  }
  writeFileSync(path.join(pending, "journal.json"), JSON.stringify({ move: Object.keys(after), delete: ["gone.ts"] }));
};

test.each([[[]], [["a.ts"]], [["a.ts", "b.ts"]]])(
  "a run that was interrupted after moving %j is finished by the next",
  async (moved) => {
    const folder = await emptyFolder();
    bring(folder, { "a.ts": "old\n", "b.ts": "old\n", "gone.ts": "gone\n" });
    interrupt(folder, moved);
    expect(isInterrupted(folder)).toBe(true);
    recover(folder);
    expect(isInterrupted(folder)).toBe(false);
    expect(filesBelow(folder)).toEqual(["a.ts", "b.ts", "manifest.json"]);
    expect([text(folder, "a.ts"), text(folder, "b.ts")]).toEqual(["new a\n", "new b\n"]);
  },
);
