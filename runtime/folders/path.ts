/** Paths of folders in the media library, made of names: `/Press/2026`. */

/** Most bytes of a path: an entry of an index has to hold it. */
export const LONGEST = 2000;

/** A name as a path segment. */
const encoded = (name: string): string => name.replaceAll("%", "%25").replaceAll("/", "%2F");

const decoded = (part: string): string => part.replaceAll("%2F", "/").replaceAll("%25", "%");

/** The path of names, such as `/Press/2026`; null for no names. */
export const pathOf = (names: readonly string[]): string | null =>
  names.length === 0 ? null : names.map((name) => `/${encoded(name)}`).join("");

/** The names in a path that `pathOf` made. */
export const namesIn = (path: string): readonly string[] => path.split("/").slice(1).map(decoded);

/** The paths of all folders on the way, outermost first. */
export const pathsTo = (path: string): readonly string[] => {
  const names = namesIn(path);
  return names.flatMap((_, index) => pathOf(names.slice(0, index + 1)) ?? []);
};

/** The path of the folder that contains this one; empty at the top. */
export const parentPath = (path: string): string => path.slice(0, path.lastIndexOf("/"));

/** The last segment of a path, with its slash. */
export const lastPart = (path: string): string => path.slice(path.lastIndexOf("/"));

/** Whether a path is that of a folder, or leads to something in it. */
export const isWithin = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`);
