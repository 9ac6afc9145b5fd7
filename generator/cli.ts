#!/usr/bin/env node
/** The `cms` program. */
import { neededNode, refuseOldNode } from "./node-version.ts";

refuseOldNode(neededNode(new URL("../../", import.meta.url)));

// Everything else may need features that an older Node lacks.
const [{ runProgram }, { commands }, { packageVersion }] = await Promise.all([
  import("./program.ts"),
  import("./commands/commands.ts"),
  import("./commands/package-version.ts"),
]);

await runProgram({
  description: "Turns content-type schema files into a typed content server.",
  version: packageVersion(),
  commands,
  sourceOf: async (root) => (await import("./commands/folder-source.ts")).folderSource(root),
});
