/** The project folder and environment. */
import { statSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../../runtime/base/thrown.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { resolveSecrets } from "../../../runtime/config/secrets.ts";
import { type Problem, problem } from "../finding.ts";

const examineFolder = (root: string): readonly Problem[] => {
  const stats = statSync(path.join(root, ".cms"), { throwIfNoEntry: false });
  if (stats === undefined || process.platform === "win32" || (stats.mode & 0o077) === 0) return [];
  const why = "It holds secrets, and the embedded database. Close it: chmod 700 .cms";
  return [problem(".cms is open to other accounts of this machine", why)];
};

/** In development, secrets are created on first use. */
const examineSecrets = (config: Config, root: string): readonly Problem[] => {
  if (process.env["NODE_ENV"] !== "production") return [];
  try {
    resolveSecrets(config, { root, production: true });
    return [];
  } catch (error) {
    return [problem("secrets are missing or easy to guess", messageOf(error))];
  }
};

export const examineSurroundings = (config: Config, root: string): readonly Problem[] => [
  ...examineFolder(root),
  ...examineSecrets(config, root),
];
