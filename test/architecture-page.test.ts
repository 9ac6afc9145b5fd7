import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const repository = path.join(import.meta.dirname, "..");

/** What stands in backticks and begins like a path of the repository. */
const pathsIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /`((?:docs|generated|generator|runtime|scripts|templates|test)\/[^`\s]*|package\.json|templates)`/g,
    ),
  ]
    .map(([, file]) => file)
    .filter((file) => file !== undefined);

test("every file and folder that docs/reference/architecture.md names exists", async () => {
  const named = pathsIn(await readFile(path.join(repository, "docs/reference/architecture.md"), "utf8"));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((file) => !existsSync(path.join(repository, file)))).toEqual([]);
});
