import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { problems } from "../../generator/diagnostics/codes.ts";

const page = path.resolve(import.meta.dirname, "../../docs/reference/diagnostics.md");

const rows = Object.values(problems)
  .toSorted((a, b) => (a.code < b.code ? -1 : 1))
  .map(({ code, severity, summary }) => `| ${code} | ${severity} | ${summary} |`);
const table = ["| Code | Severity | Meaning |", "|---|---|---|", ...rows].join("\n");

test("the page of diagnostics lists every code as the program knows it", () => {
  const text = readFileSync(page, "utf8");
  const expected = text.replace(
    /(<!-- codes -->\n)[^]*(<!-- \/codes -->)/,
    (_, before: string, after: string) => `${before}${table}\n${after}`,
  );
  if (process.env["UPDATE_GOLDEN"] === "1" && !process.env["CI"]) writeFileSync(page, expected);
  expect(readFileSync(page, "utf8")).toBe(expected);
});
