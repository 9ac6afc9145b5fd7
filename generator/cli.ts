#!/usr/bin/env node
/** The `cms` program. */
import { commands } from "./commands/commands.ts";
import { packageVersion } from "./commands/package-version.ts";
import { runProgram } from "./program.ts";

await runProgram({
  description: "Turns content-type schema files into a typed content server.",
  version: packageVersion(),
  commands,
  sourceOf: async (root) => (await import("./commands/folder-source.ts")).folderSource(root),
});
