/** Checks which schema files and settings `cms generate` would refuse, before they are imported. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadConfig } from "../../runtime/app/loader/load-config.ts";
import { ConfigError } from "../../runtime/base/thrown.ts";
import { loadModel } from "../commands/generate/load-model.ts";
import { type Finding, finding } from "./project/findings/finding.ts";
import { CONFIG, type FindFaults, SOURCE } from "./project/take-over.ts";

const configFaults = async (root: string): Promise<readonly Finding[]> => {
  try {
    await loadConfig(root, {});
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const lines = error.message.replaceAll(`${root}${path.sep}`, "").split("\n");
    return lines.map((name) => finding("schema", name, CONFIG));
  }
};

const schemaFaults = async (root: string): Promise<readonly Finding[]> => {
  const { diagnostics } = await loadModel({ root, from: SOURCE, customFields: {} });
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, message, place, position }) =>
      finding("schema", `${code}: ${message}`, { file: place.file, line: position?.line ?? 1 }),
    );
};

/** Writes the files to a temporary folder and reads them as `cms generate` does. */
export const generateFaults: FindFaults = async (files) => {
  const root = await mkdtemp(path.join(tmpdir(), "galley-import-"));
  try {
    for (const { file, content } of files) {
      await mkdir(path.join(root, path.dirname(file)), { recursive: true });
      await writeFile(path.join(root, file), content);
    }
    const hasSchemas = files.some(({ file }) => file !== CONFIG);
    return [...(await configFaults(root)), ...(hasSchemas ? await schemaFaults(root) : [])];
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};
