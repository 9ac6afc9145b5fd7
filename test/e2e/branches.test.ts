/** `cms dev` in a terminal, while three branches are edited, checked out and merged by chance. */
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { repository, run } from "../support/cms.ts";

const SEED = "5";
const STEPS = "14";
const isWithTerminal = ["/usr/bin/script", "/bin/script"].some((file) => existsSync(file));

test.runIf(isWithTerminal)("all content that the schema of a branch has is there when it is checked out", async () => {
  const script = path.join(repository, "scripts/branches/main.ts");
  const jiti = path.join(repository, "node_modules/jiti/lib/jiti-cli.mjs");
  const { stdout, code } = await run(process.execPath, [jiti, script, "10", SEED, STEPS], { cwd: repository });
  expect(stdout).toMatch(/ steps, [1-9]\d* values compared, none lost/);
  expect(code).toBe(0);
});
