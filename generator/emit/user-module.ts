import path from "node:path";

/**
 * How generated code at the top of the output folder imports a file of the user's.
 *
 * @param toRoot the way from the output folder to the root of the project, with forward slashes
 * @param file relative to the root
 */
export const userModule = (toRoot: string, file: string): string => {
  const relative = path.posix.join(toRoot, file);
  return relative.startsWith("../") ? relative : `./${relative}`;
};
