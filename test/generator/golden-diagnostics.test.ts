import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { problems } from "../../generator/diagnostics/codes.ts";
import { loadModel } from "../support/load-model.ts";

const golden = path.resolve(import.meta.dirname, "../golden");
const update = process.env["UPDATE_GOLDEN"] === "1";
const cases = readdirSync(golden).filter((name) => existsSync(path.join(golden, name, "stderr.txt")));

test("golden files are not rewritten in CI", () => {
  expect(update && process.env["CI"]).toBeFalsy();
});

test.each(cases)("the diagnostics of %s are the recorded ones", async (name) => {
  const file = path.join(golden, name, "stderr.txt");
  const from = existsSync(path.join(golden, name, "src")) ? "src" : "content-types";
  const { stderr } = await loadModel(path.join(golden, name), from);
  if (update && !process.env["CI"]) writeFileSync(file, stderr);
  expect(stderr).toBe(readFileSync(file, "utf8"));
});

test("every code occurs in a golden case", () => {
  const recorded = cases.map((name) => readFileSync(path.join(golden, name, "stderr.txt"), "utf8")).join("");
  const missing = Object.values(problems)
    .map(({ code }) => code)
    .filter((code) => !recorded.includes(code));
  expect(missing).toEqual([]);
});

test("no two problems share a code", () => {
  const codes = Object.values(problems).map(({ code }) => code);
  expect(codes).toEqual([...new Set(codes)]);
});
