/** The commands of `cms`: a line each. A command's own file is imported when that command runs or shows its help. */
import type { Command } from "commander";

/** What a command's file exports. */
export interface CommandModule {
  /** Adds arguments, options, subcommands and the action to the command that has this entry's name. */
  configure(command: Command): void;
}

export interface CommandEntry {
  readonly name: string;
  /** One line for `cms --help`. */
  readonly summary: string;
  load(): Promise<CommandModule>;
}

/** In the order of `cms --help`. */
export const commands: readonly CommandEntry[] = [
  { name: "init", summary: "start a project in an empty folder", load: () => import("./init.ts") },
  {
    name: "generate",
    summary: "write code and migrations from the schema files",
    load: () => import("./generate.ts"),
  },
  { name: "migrate", summary: "apply migrations to the database", load: () => import("./migrate.ts") },
  { name: "rename", summary: "rename an attribute and keep its content", load: () => import("./rename.ts") },
  { name: "dev", summary: "generate, migrate and serve, again on every change", load: () => import("./dev.ts") },
  { name: "seed", summary: "load the content that the project starts with", load: () => import("./seed.ts") },
  { name: "token", summary: "manage tokens for other programs", load: () => import("./token.ts") },
  { name: "permissions", summary: "manage what each role may do", load: () => import("./permissions.ts") },
  { name: "media", summary: "check the uploaded files", load: () => import("./media.ts") },
  { name: "start", summary: "serve the project", load: () => import("./start.ts") },
];
