/** Folders of the media library, derived from the paths of files. */
import { requiredText, type Session } from "../../runtime/database/database.ts";
import { parentPath, pathsTo, namesIn } from "../../runtime/folders/path.ts";
import { FOLDER } from "../archive/folder-path.ts";
import { documentIdOf } from "./document-id.ts";
import type { LineFiles } from "./line-files.ts";
import { FILE } from "./link-lines.ts";

interface Folder {
  readonly id: number;
  /** A path of numbers, as Strapi has it. */
  readonly path: string;
  /** How many entries its list has so far. */
  readonly count: { children: number; files: number };
}

/** Assigns files to folders. */
export type Folders = Awaited<ReturnType<typeof exportFolders>>;

const link = (left: object, right: object, isCircular: boolean): string =>
  JSON.stringify({ kind: `relation.${isCircular ? "circular" : "basic"}`, relation: "manyToOne", left, right });

/** Writes the folders of files, and their parents. @param at the dates of rows that have none here */
export const exportFolders = async (session: Session, lines: LineFiles, at: string) => {
  const rows = await session.rows(
    'select distinct folder_path collate "C" from files where folder_path is not null order by 1',
  );
  const folders = new Map<string, Folder>();
  for (const path of rows.flatMap(([value]) => pathsTo(requiredText(value)))) {
    if (folders.has(path)) continue;
    const parent = folders.get(parentPath(path));
    const id = folders.size + 1;
    const folder = { id, path: `${parent?.path ?? ""}/${id}`, count: { children: 0, files: 0 } };
    folders.set(path, folder);
    const documentId = documentIdOf(`${FOLDER} ${path}`);
    const dates = { createdAt: at, updatedAt: at, publishedAt: at };
    const data = { documentId, name: namesIn(path).at(-1), pathId: id, path: folder.path, ...dates, locale: null };
    await lines.addEntity(FOLDER, id, data);
    if (parent === undefined) continue;
    const right = { type: FOLDER, field: "children", ref: parent.id, pos: ++parent.count.children };
    await lines.add("links", link({ type: FOLDER, field: "parent", ref: id }, right, true));
  }
  const folderOf = (path: unknown): Folder | undefined => (typeof path === "string" ? folders.get(path) : undefined);
  return {
    /** The path of numbers for a file in the folder. */
    pathFor: (path: unknown): string => folderOf(path)?.path ?? "/",
    /** The link line between file and folder; undefined for a file without one. */
    lineFor: (file: number, path: unknown): string | undefined => {
      const folder = folderOf(path);
      if (folder === undefined) return undefined;
      const right = { type: FOLDER, field: "files", ref: folder.id, pos: ++folder.count.files };
      return link({ type: FILE, field: "folder", ref: file }, right, false);
    },
  };
};
