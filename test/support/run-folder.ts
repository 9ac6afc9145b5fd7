/** One folder for a whole test run: what is prepared for several files is put there. It is removed at the end. */
import { mkdtempSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
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
