import { resolve } from "node:path";
import type { Command } from "commander";

/** The project's folder as an absolute path: `--root DIR`, or the working directory. */
export const rootOf = (command: Command): string => resolve(command.optsWithGlobals<{ root: string }>().root);
