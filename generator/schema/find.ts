/** Finds schema files and what they describe, by folder, in both layouts. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

interface Found {
  /** Absolute. */
  readonly path: string;
}
export interface FoundContentType extends Found {
  readonly kind: "contentType";
  /** `api::article` or `plugin::users-permissions`: the uid up to the dot. */
  readonly owner: string;
  /** The folder that determines the uid. */
  readonly folder: string;
  /** Whether its name may differ from the type's, as in Strapi's layout. */
  readonly mayDiffer?: true;
  /** Whether there is an `extension.ts` beside it. */
  readonly extended: boolean;
}
export interface FoundComponent extends Found {
  readonly kind: "component";
  readonly category: string;
  readonly name: string;
}
/**
 * An `extension.ts` without a schema file beside it, which extends a built-in type; and a schema written as code, which
 * is not run.
 */
type FoundOther =
  | (Pick<FoundContentType, "path" | "owner" | "folder"> & { readonly kind: "extension" })
  | (Found & { readonly kind: "program" });
export type FoundFile = FoundContentType | FoundComponent | FoundOther;

/** The uid derived from the path of a file. */
export const uidOf = (found: Exclude<FoundFile, { kind: "program" }>): string =>
  found.kind === "component" ? `${found.category}.${found.name}` : `${found.owner}.${found.folder}`;

const entries = (folder: string): string[] => {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return [];
    throw error;
  }
};

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const folders = (folder: string): string[] => entries(folder).filter((name) => isFolder(join(folder, name)));

/** The contents of a content type's folder. */
const contentType = (folder: string, name: string, owner: string): FoundFile[] => {
  const names = entries(folder);
  const place = { owner, folder: name };
  const extended = names.includes("extension.ts");
  if (names.includes("schema.json"))
    return [{ kind: "contentType", path: join(folder, "schema.json"), ...place, extended }];
  const program = names.find((name) => /^schema\.[cm]?[jt]s$/.test(name));
  if (program) return [{ kind: "program", path: join(folder, program) }];
  return extended ? [{ kind: "extension", path: join(folder, "extension.ts"), ...place }] : [];
};

const components = (base: string): FoundFile[] =>
  folders(join(base, "components")).flatMap((category) => {
    const folder = join(base, "components", category);
    return entries(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => ({
        kind: "component" as const,
        path: join(folder, name),
        category,
        name: name.slice(0, -".json".length),
      }));
  });

/** `<base>/<owner>/content-types/<type>/schema.json`, where `base` is `api` or `extensions`. */
const owned = (base: string, prefix: string): FoundFile[] =>
  folders(base).flatMap((owner) => {
    const types = join(base, owner, "content-types");
    return folders(types)
      .flatMap((type) => contentType(join(types, type), type, `${prefix}::${owner}`))
      .map((found) => (found.kind === "contentType" ? { ...found, mayDiffer: true as const } : found));
  });

const isStrapiSource = (base: string): boolean =>
  [join(base, "api"), join(base, "extensions")].some((folder) =>
    folders(folder).some((owner) => isFolder(join(folder, owner, "content-types"))),
  );

/** `<base>/article/schema.json`, and one level deeper for plugin types: `<base>/users-permissions/user/schema.json`. */
const ownLayout = (base: string): FoundFile[] =>
  folders(base)
    .filter((name) => name !== "components" && name !== "node_modules")
    .flatMap((name) => {
      const folder = join(base, name);
      const direct = contentType(folder, name, `api::${name}`);
      if (direct.length > 0) return direct;
      return folders(folder).flatMap((type) => contentType(join(folder, type), type, `plugin::${name}`));
    });

/** The root of the layout: `from`, or `src` of a Strapi project. */
const baseOf = (from: string): string =>
  !isStrapiSource(from) && isStrapiSource(join(from, "src")) ? join(from, "src") : from;

/** The path of a new type in the layout of `from` (absolute); `plugin` is its owner, if that is a plugin. */
export const folderOfType = (from: string, name: string, plugin?: string): string => {
  const base = baseOf(from);
  if (!isStrapiSource(base)) return join(base, plugin ?? "", name);
  return join(base, plugin === undefined ? "api" : "extensions", plugin ?? name, "content-types", name);
};

/** The same for a component. */
export const fileOfComponent = (from: string, category: string, name: string): string =>
  join(baseOf(from), "components", category, `${name}.json`);

/**
 * Lists the schema files below `from` (absolute): in our layout, in Strapi's (`from` contains `api` and `components`),
 * or in a Strapi project (`from` contains `src`). Sorted by name, in code unit order.
 */
export const findSchemaFiles = (from: string): FoundFile[] => {
  const base = baseOf(from);
  return isStrapiSource(base)
    ? [...owned(join(base, "api"), "api"), ...components(base), ...owned(join(base, "extensions"), "plugin")]
    : [...ownLayout(base), ...components(base)];
};
