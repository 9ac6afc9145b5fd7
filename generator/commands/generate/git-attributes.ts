/** What git does when two branches have changed the same lines of generated files. */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { mayBeInRepository } from "../migrate/main-branch.ts";

const TEXT = `# After a merge these files have the lines of both branches: "cms migrate rebase" writes them anew.
* merge=union
migrations/** -merge
.gitattributes !merge
`;

/** Nobody has to resolve conflicts in files that are written anew. A file that is there stays as it is. */
export const writeGitAttributes = (folder: string): void => {
  const file = path.join(folder, ".gitattributes");
  if (!existsSync(file) && mayBeInRepository(folder)) writeFileSync(file, TEXT);
};
