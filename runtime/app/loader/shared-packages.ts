/**
 * Packages that a running server must load only once, because tables, schemas, routers and errors are recognised by
 * their classes. They are resolved from where `galley-cms` is installed, not from the application.
 */
const names = ["galley-cms", "drizzle-orm", "zod", "hono", "graphql", "@pothos/core"];

/** Matches imports of a shared package or of its entries, such as `drizzle-orm/pg-core`. */
export const sharedPackages = new RegExp(`^(?:${names.join("|")})(?:/|$)`);

const resolve = (specifier: string): string | undefined => {
  try {
    return import.meta.resolve(specifier);
  } catch {
    return undefined;
  }
};

/** A bundle asks for the same few entries hundreds of times. */
const resolved = new Map<string, string | undefined>();

/** The address for an import of a shared package; undefined if the package has no such entry. */
export const resolveShared = (specifier: string): string | undefined => {
  if (!resolved.has(specifier)) resolved.set(specifier, resolve(specifier));
  return resolved.get(specifier);
};

/** The addresses of the shared packages, which bundles contain. */
export const sharedAddresses = (): readonly string[] => names.map((name) => resolveShared(name) ?? "");
