/** Finds out whose code threw an unexpected error. */
import path from "node:path";
import { fileURLToPath } from "node:url";

/** `dist`, or the repository when running from source. */
const own = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const isInside = (folder: string, file: string): boolean => file.startsWith(`${folder}${path.sep}`);

/** The files of a stack trace, innermost frame first. */
const filesOf = (stack: string): readonly string[] =>
  [...stack.matchAll(/^ {4}at (?:.*\()?((?:file:\/\/)?\/.*?|[A-Za-z]:\\.*?):\d+:\d+\)?$/gm)].map(([, file = ""]) =>
    file.startsWith("file:") ? fileURLToPath(file) : file,
  );

const isOurs = (file: string): boolean =>
  ["chunks", "generator", "runtime"].some((part) => isInside(path.join(own, part), file));

/**
 * Whether code of the project in `root` threw the error. Frames of third-party packages are skipped: what a package
 * throws is attributed to whoever called it.
 */
export const isOfProject = (error: Error, root: string): boolean => {
  const isTheirs = (file: string): boolean =>
    isInside(root, file) && !file.includes(`${path.sep}node_modules${path.sep}`);
  const thrower = filesOf(error.stack ?? "").find((file) => isOurs(file) || isTheirs(file));
  return thrower !== undefined && !isOurs(thrower);
};
