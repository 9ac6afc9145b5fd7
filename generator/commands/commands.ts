/** The `cms` commands, one per line. A command's own file is imported only when it runs or shows its help. */
import type { CommandEntry } from "./command.ts";
import { MIGRATE, servingCommands } from "./serving-commands.ts";

/** In the order of `cms --help`. */
export const commands: readonly CommandEntry[] = [
  { name: "init", summary: "create a project in an empty folder", load: () => import("./init.ts") },
  {
    name: "generate",
    summary: "write code and migrations from the schema files",
    load: () => import("./generate.ts"),
  },
  { name: "add", summary: "write a starter file: a type, an extension, a task, ...", load: () => import("./add.ts") },
  { name: "migrate", summary: MIGRATE, load: () => import("./migrate.ts") },
  { name: "rename", summary: "rename an attribute and keep its content", load: () => import("./rename.ts") },
  { name: "dev", summary: "generate, migrate and serve, and repeat on every change", load: () => import("./dev.ts") },
  { name: "seed", summary: "create the project's initial content", load: () => import("./seed.ts") },
  { name: "import", summary: "import a Strapi project, or its content", load: () => import("../import/command.ts") },
  { name: "export", summary: "write the content as an archive", load: () => import("../export/command.ts") },
  {
    name: "compat",
    summary: "compare the answers of this server and another one",
    load: () => import("../compat/command.ts"),
  },
  { name: "client", summary: "write the client as a package of its own", load: () => import("./client.ts") },
  { name: "build", summary: "bundle the server into a folder that needs only Node", load: () => import("./build.ts") },
  ...servingCommands,
];
