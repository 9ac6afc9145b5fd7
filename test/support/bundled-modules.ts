import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/**
 * The modules in those chunks of `dist` that are among the addresses in `loaded`, one a line: each has its name above
 * it, on a line of its own.
 */
export const bundledModules = async (loaded: string): Promise<string> => {
  const chunks = loaded.split("\n").filter((address) => address.includes("/dist/chunks/"));
  const texts = await Promise.all(chunks.map((address) => readFile(fileURLToPath(address), "utf8")));
  return texts.flatMap((text) => [...text.matchAll(/^\/\/ (\S+\.js)$/gm)].map(([, name]) => name)).join("\n");
};
