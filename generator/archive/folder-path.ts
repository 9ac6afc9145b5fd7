/**
 * Folders of the media library. Here each file has its folder's path, made of names; Strapi has rows for folders, and
 * paths made of their numbers.
 */

export const FOLDER = "plugin::upload.folder";

/** A name as a path segment. */
const encoded = (name: string): string => name.replaceAll("%", "%25").replaceAll("/", "%2F");

const decoded = (part: string): string => part.replaceAll("%2F", "/").replaceAll("%25", "%");

/** The path of names, such as `/Press/2026`; null for no names. */
export const pathOf = (names: readonly string[]): string | null =>
  names.length === 0 ? null : names.map((name) => `/${encoded(name)}`).join("");

/** The names in a path that `pathOf` made. */
export const namesIn = (path: string): readonly string[] => path.split("/").slice(1).map(decoded);
