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

/** Where the shared packages are: a bundle holds their addresses. */
export const sharedAddresses = (): readonly string[] => names.map((name) => resolveShared(name) ?? "");
