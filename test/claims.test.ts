/**
 * Each claim of the documentation has a test beside it: `test/claims/<page>.json` names the tests by sentence, with their file.
 * After a change of a page, `UPDATE_CLAIMS=1 npx vitest run test/claims.test.ts` takes out sentences that are gone and
 * adds the new ones as "untested": name the test that holds, or say less.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { repository } from "./support/cms.ts";
import { docPages } from "./support/doc-blocks.ts";
import { APART, claimsOf } from "./support/doc-claims.ts";

/** Advice, and sentences that explain words or other sentences, claim nothing that a test could see. */
const NO_CLAIM = "no claim";
/** A figure: the script behind it prints it. */
const SCRIPT = /^npm run [\w:-]+$/;
const UNTESTED = "untested";
/** How many are: never more. */
const UNTESTED_AT_MOST = 0;

type Claims = Readonly<Record<string, string>>;

const fileOf = (page: string): string => path.join(repository, "test/claims", page.replace(/\.md$/, ".json"));

const read = async (page: string): Promise<Claims> =>
  existsSync(fileOf(page)) ? JSON.parse(await readFile(fileOf(page), "utf8")) : {};

const pages = (await docPages()).filter((page) => !APART.has(page));

const update = async (page: string): Promise<void> => {
  const before = await read(page);
  const claims = (await claimsOf(page)).map((claim) => [claim, before[claim] ?? UNTESTED]);
  await mkdir(path.dirname(fileOf(page)), { recursive: true });
  if (claims.length > 0) await writeFile(fileOf(page), `${JSON.stringify(Object.fromEntries(claims), null, 2)}\n`);
  else await rm(fileOf(page), { force: true });
};

/** `test/file.test.ts: name of the test`, or a file of types alone, which `npm run typecheck` compiles. */
const isThere = async (reference: string): Promise<boolean> => {
  const [, file = "", name] = /^([\w./-]+\.ts)(?:: (.+))?$/s.exec(reference) ?? [];
  if (!existsSync(path.join(repository, file))) return false;
  if (name === undefined) return file.startsWith("test/types/");
  const source = await readFile(path.join(repository, file), "utf8");
  return source.replaceAll("\\", "").includes(name.replaceAll("\\", ""));
};

test("every claim of the documentation has a test that is there, and no other sentence is listed", async () => {
  if (process.env["UPDATE_CLAIMS"] !== undefined) for (const page of pages) await update(page);
  const faults: string[] = [];
  let untested = 0;
  for (const page of pages) {
    const [claims, listed] = [await claimsOf(page), await read(page)];
    faults.push(...claims.filter((claim) => !Object.hasOwn(listed, claim)).map((claim) => `${page}, new: ${claim}`));
    for (const [claim, held] of Object.entries(listed)) {
      if (!claims.includes(claim)) faults.push(`${page}, gone: ${claim}`);
      if (held === UNTESTED) untested += 1;
      else if (held !== NO_CLAIM && !SCRIPT.test(held) && !(await isThere(held)))
        faults.push(`${page}, no test: ${held}`);
    }
  }
  expect(faults).toEqual([]);
  expect(untested).toBeLessThanOrEqual(UNTESTED_AT_MOST);
});
