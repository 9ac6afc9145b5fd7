/** Commands that both a project folder and the output of `cms build` have. They load no part of the generator. */
import type { CommandEntry } from "./command.ts";

/** One-line description of `cms migrate`. */
export const MIGRATE = "apply migrations to the database";

/** In the order of `cms --help`. */
export const servingCommands: readonly CommandEntry[] = [
  { name: "token", summary: "manage API tokens", load: () => import("./token.ts") },
  { name: "user", summary: "manage who may log in", load: () => import("./user.ts") },
  { name: "permissions", summary: "manage what each role may do", load: () => import("./permissions.ts") },
  { name: "media", summary: "check the uploaded files", load: () => import("./media.ts") },
  {
    name: "doctor",
    summary: "check the database and propose indexes",
    load: () => import("../doctor/command.ts"),
  },
  { name: "tasks", summary: "list or run the scheduled tasks of app.ts", load: () => import("./tasks.ts") },
  { name: "schedule", summary: "list scheduled publications", load: () => import("./schedule.ts") },
  { name: "locales", summary: "show what is translated", load: () => import("./locales.ts") },
  { name: "webhook", summary: "manage who receives events", load: () => import("./webhook.ts") },
  { name: "audit", summary: "list who did what", load: () => import("./audit.ts") },
  { name: "start", summary: "serve the project", load: () => import("./start.ts") },
];
