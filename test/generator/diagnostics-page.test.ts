import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { problems } from "../../generator/diagnostics/codes.ts";

const page = path.resolve(import.meta.dirname, "../../docs/reference/diagnostics.md");

/** A row of the table: code, severity, and a sentence that says what the code means. */
const ROW = /^\| (CMS\d{4}) \| (error|warning) \| [A-Z`].{10,}\. \|$/gm;

test("the page of diagnostics explains every code, in order, with its severity", () => {
  const explained = [...readFileSync(page, "utf8").matchAll(ROW)].map(([, code, severity]) => `${code} ${severity}`);
  const known = Object.values(problems).map(({ code, severity }) => `${code} ${severity}`);
  expect(explained).toEqual(known.toSorted());
});
