import { migrationsFolder, type ProjectSource } from "../project.ts";
import { loadApplication } from "./load-application.ts";
/** A project in its source folder: its TypeScript is bundled when it is loaded. */
import { loadConfig } from "./load-config.ts";

/** The project in `root`. */
export const projectFolder = (root: string): ProjectSource => ({
  root,
  readConfig: () => loadConfig(root),
  loadApplication: (config) => loadApplication(root, config),
  migrations: (config) => migrationsFolder(root, config),
});
