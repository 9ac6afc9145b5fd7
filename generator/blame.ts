/** Whose code has thrown an error that nobody expected. */
import path from "node:path";
import { fileURLToPath } from "node:url";

/** `dist`, or the repository where the sources run. */
const own = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const isInside = (folder: string, file: string): boolean => file.startsWith(`${folder}${path.sep}`);

/** The files of a stack, from where the error was thrown outwards. */
const filesOf = (stack: string): readonly string[] =>
  [...stack.matchAll(/^ {4}at (?:.*\()?((?:file:\/\/)?\/.*?|[A-Za-z]:\\.*?):\d+:\d+\)?$/gm)].map(([, file = ""]) =>
    file.startsWith("file:") ? fileURLToPath(file) : file,
  );

const isOurs = (file: string): boolean =>
  ["chunks", "generator", "runtime"].some((part) => isInside(path.join(own, part), file));

/**
 * Whether code of the project in `root` has thrown the error. Packages that either side calls are passed over: what
 * they throw is the matter of the side that has called them.
 */
export const isOfProject = (error: Error, root: string): boolean => {
  const isTheirs = (file: string): boolean =>
    isInside(root, file) && !file.includes(`${path.sep}node_modules${path.sep}`);
  const thrower = filesOf(error.stack ?? "").find((file) => isOurs(file) || isTheirs(file));
  return thrower !== undefined && !isOurs(thrower);
};
