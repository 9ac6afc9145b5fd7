import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { z } from "zod";

/**
 * Packages of which a running server must have one instance only: tables, schemas, routers and errors are recognised
 * by the classes that made them. They resolve from where `galley-cms` is installed, wherever the application lies.
 */
const names = ["galley-cms", "drizzle-orm", "zod", "hono", "graphql", "@pothos/core"];

/** Matches an import of a shared package or of one of its entries, such as `drizzle-orm/pg-core`. */
export const sharedPackages = new RegExp(`^(?:${names.join("|")})(?:/|$)`);

/** The address of an import of a shared package, or undefined when the package has no such entry. */
export const resolveShared = (specifier: string): string | undefined => {
  try {
    return import.meta.resolve(specifier);
  } catch {
    return undefined;
  }
};

/** Changes when `galley-cms` or a package that it shares is updated or moved: a bundle made before is then of no use. */
export const installation = (): string => {
  const file = createRequire(import.meta.url).resolve("galley-cms/package.json");
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, "utf8")));
  return [version, ...names.map(resolveShared)].join("\n");
};
