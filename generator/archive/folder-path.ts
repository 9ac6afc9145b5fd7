/**
 * Folders of the media library. Here a file has the path of its folder, made of names; Strapi has rows for folders, and paths
 * made of their numbers.
 */

export const FOLDER = "plugin::upload.folder";

/** A name as a part of a path. */
const encoded = (name: string): string => name.replaceAll("%", "%25").replaceAll("/", "%2F");

const decoded = (part: string): string => part.replaceAll("%2F", "/").replaceAll("%25", "%");

/** The path of names, such as `/Press/2026`; null where there are none. */
export const pathOf = (names: readonly string[]): string | null =>
  names.length === 0 ? null : names.map((name) => `/${encoded(name)}`).join("");

/** The names in a path that `pathOf` made. */
export const namesIn = (path: string): readonly string[] => path.split("/").slice(1).map(decoded);
