/** One folder for a whole test run: what is prepared for several files is put there. It is removed at the end. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    runFolder: string;
  }
}

/** Called by vitest before the first test file; returns what to do after the last. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), "galley-run-"));
  project.provide("runFolder", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** A new folder that stays until the run ends. */
export const folderOfRun = (name: string): Promise<string> => mkdtemp(path.join(inject("runFolder"), `${name}-`));

/** Makes the folder; false where it is there already: one of several processes makes it. */
const makesFolder = async (folder: string): Promise<boolean> => {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
};

const prepareOrWait = async (folder: string, prepare: (folder: string) => Promise<void>): Promise<string> => {
  const ready = `${folder}.ready`;
  const failed = `${folder}.failed`;
  if (await makesFolder(folder)) {
    try {
      await prepare(folder);
    } catch (error) {
      await writeFile(failed, "");
      throw error;
    }
    await writeFile(ready, "");
  }
  while (!existsSync(ready)) {
    if (existsSync(failed)) throw new Error(`${folder} was not prepared: another test says why`);
    await wait(20);
  }
  return folder;
};

/**
 * A folder that one of the processes of the run fills with `prepare`, the first that asks for it; the others wait until
 * it is there. Nobody changes it: tests work on copies.
 */
export const preparedOnce = (name: string, prepare: (folder: string) => Promise<void>): (() => Promise<string>) => {
  let prepared: Promise<string> | undefined;
  return () => (prepared ??= prepareOrWait(path.join(inject("runFolder"), name), prepare));
};
