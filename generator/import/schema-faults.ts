/** What `cms generate` will refuse in schema files, before they are taken over. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadModel } from "../commands/generate/load-model.ts";
import { type FindFaults, SOURCE } from "./project/take-over.ts";

/** Writes the files to a folder of their own, and reads them as `cms generate` does. */
export const schemaFaults: FindFaults = async (schemas) => {
  if (schemas.length === 0) return [];
  const root = await mkdtemp(path.join(tmpdir(), "galley-import-"));
  try {
    for (const { file, content } of schemas) {
      await mkdir(path.join(root, path.dirname(file)), { recursive: true });
      await writeFile(path.join(root, file), content);
    }
    const { diagnostics } = await loadModel({ root, from: SOURCE, customFields: {} });
    return diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ code, message, place, position }) => ({
        kind: "schema",
        name: `${code}: ${message}`,
        at: { file: place.file, line: position?.line ?? 1 },
      }));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};
