/** How git merges generated files in which two branches changed the same lines. */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { mayBeInRepository } from "../migrate/main-branch.ts";

const TEXT = `# After a merge these files have the lines of both branches: "cms migrate rebase" writes them anew.
* merge=union
migrations/** -merge
.gitattributes !merge
`;

/** Spares people conflicts in files that are regenerated anyway. An existing file stays as it is. */
export const writeGitAttributes = (folder: string): void => {
  const file = path.join(folder, ".gitattributes");
  if (!existsSync(file) && mayBeInRepository(folder)) writeFileSync(file, TEXT);
};
