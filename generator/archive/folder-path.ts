/**
 * Folders of the media library. Here each file has its folder's path, made of names; Strapi has rows for folders, and
 * paths made of their numbers.
 */

export const FOLDER = "plugin::upload.folder";
