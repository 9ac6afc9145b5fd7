import { projectFolder } from "../../runtime/app/loader/project-folder.ts";
import type { CommandSource } from "./command.ts";
import { noteApplied, noteUndone } from "./migrate/noted.ts";
import { packageVersion } from "./package-version.ts";

/** The project in a folder where it is also developed. */
export const folderSource = (root: string): CommandSource => ({
  ...projectFolder(root),
  version: packageVersion(),
  memory: {
    applied: (names, folder) => noteApplied(root, folder, names),
    undone: (names) => noteUndone(root, names),
  },
  async writeMigration(...migration) {
    const { writeOwn } = await import("./migrate/new.ts");
    return writeOwn(...migration);
  },
});
