/** Creates, changes and deletes folders. Each change has the whole tree to itself. */
import { and, inArray, sql } from "drizzle-orm";
import type { Caller } from "../access/caller.ts";
import { NotFoundError, ValidationError } from "../base/errors.ts";
import { type Database, numberOf, requiredText, type Session } from "../database/database.ts";
import { faultOf } from "../database/fault.ts";
import type { Act } from "../documents/acts.ts";
import { recordAct, type Recorder } from "../documents/recorders.ts";
import { changeFiles, type FileRecord } from "../media/record.ts";
import { committed, recordFile } from "../media/store.ts";
import { files } from "../schema/tables/files.ts";
import { isWithin, lastPart, LONGEST, namesIn, parentPath, pathOf, pathsTo } from "./path.ts";

/** A folder in responses. */
export interface Folder {
  readonly id: number;
  readonly name: string;
  /** The id of the folder that contains it; null at the top. */
  readonly parent: number | null;
  readonly path: string;
}

const tooLong = (): ValidationError => new ValidationError("The names of the folder and its parents are too long");

/** All folders, each before those in it. */
export const listFolders = async (session: Pick<Session, "rows">): Promise<readonly Folder[]> => {
  const rows = await session.rows('select id, path from upload_folders order by path collate "C"');
  const ids = new Map(rows.map(([id, path]) => [requiredText(path), numberOf(id)]));
  return [...ids].map(([path, id]) => ({
    id,
    name: namesIn(path).at(-1) ?? "",
    parent: ids.get(parentPath(path)) ?? null,
    path,
  }));
};

const readPath = async (session: Pick<Session, "rows">, id: number, lock = ""): Promise<string | undefined> => {
  const [row] = await session.rows(`select path from upload_folders where id = $1 ${lock}`, [id]);
  return row && requiredText(row[0]);
};

/** The path of the folder that a request is about. @throws NotFoundError if there is none */
export const demandPath = async (session: Pick<Session, "rows">, id: number): Promise<string> => {
  const path = await readPath(session, id);
  if (path === undefined) throw new NotFoundError("folder.notFound");
  return path;
};

/** The path of a folder that a value names; empty for null. @throws ValidationError if there is none */
const namedPath = async (session: Session, key: string, id: number | null): Promise<string> => {
  const path = id === null ? "" : await readPath(session, id);
  if (path === undefined) throw new ValidationError(`${key}: there is no folder ${id}`, { key });
  return path;
};

/** Where folders are changed, and who records it. */
interface FolderServices {
  readonly database: Database;
  readonly recorders: readonly Recorder[];
}

/** Records what was done to a folder. */
type Recording = (
  action: Act["action"],
  folder: { readonly id: number | null; readonly path: string },
  details?: Act["details"],
) => Promise<void>;

/**
 * Runs a change while nobody else changes folders or puts an upload into one; reading goes on.
 *
 * @throws ValidationError if a folder would get the path of another one, or one that is too long
 */
const changing = async <Result>(
  { database, recorders }: FolderServices,
  by: Caller,
  work: (session: Session, record: Recording) => Promise<Result>,
): Promise<Result> => {
  try {
    const result = await database.transaction(async (session) => {
      await session.rows("lock table upload_folders in exclusive mode");
      return work(session, (action, { id, path }, details = {}) =>
        recordAct(
          session,
          recorders,
          { action, subject: { type: "folder", id: String(id ?? "top"), name: path || "/" }, details },
          by,
        ),
      );
    });
    committed({ recorders });
    return result;
  } catch (error) {
    const fault = faultOf(error);
    if (fault?.code !== "23505" || fault.constraint !== "upload_folders_path_key") throw error;
    throw new ValidationError("There is already a folder of this name", { key: "name" });
  }
};

/** Changes the path of a folder, and of everything in it. */
const relocate = async (session: Session, from: string, to: string): Promise<void> => {
  if (from === to) return;
  const within = "path = $1::text or starts_with(path, $1::text || '/')";
  // By the paths of the folders, not by their beginning: an index finds the files.
  await session.rows(
    `update files set folder_path = $2::text || substr(folder_path, length($1::text) + 1)
      where folder_path = any(array(select path from upload_folders where ${within}))`,
    [from, to],
  );
  await session.rows(
    `update upload_folders set path = $2::text || substr(path, length($1::text) + 1) where ${within}`,
    [from, to],
  );
  const [row] = await session.rows("select 1 from upload_folders where octet_length(path) > $1 limit 1", [LONGEST]);
  if (row) throw tooLong();
};

const folderWith = async (session: Session, id: number): Promise<Folder> => {
  const found = (await listFolders(session)).find((folder) => folder.id === id);
  if (!found) throw new NotFoundError("folder.notFound");
  return found;
};

export const createFolder = (
  services: FolderServices,
  by: Caller,
  { name, parent }: { readonly name: string; readonly parent: number | null },
): Promise<Folder> =>
  changing(services, by, async (session, record) => {
    const path = `${await namedPath(session, "parent", parent)}${pathOf([name])}`;
    if (Buffer.byteLength(path) > LONGEST) throw tooLong();
    const [row] = await session.rows("insert into upload_folders (path) values ($1) returning id", [path]);
    const folder = await folderWith(session, numberOf(row?.[0] ?? null));
    await record("folder.create", folder);
    return folder;
  });

/** The new name of a folder, and the folder that it goes into; null is the top. */
export interface FolderChange {
  readonly name?: string | undefined;
  readonly parent?: number | null | undefined;
}

/** Renames and moves a folder. */
export const changeFolder = (
  services: FolderServices,
  by: Caller,
  id: number,
  { name, parent }: FolderChange,
): Promise<Folder> =>
  changing(services, by, async (session, record) => {
    const from = await demandPath(session, id);
    const target = parent === undefined ? parentPath(from) : await namedPath(session, "parent", parent);
    if (isWithin(target, from)) throw new ValidationError("A folder cannot be moved into itself", { key: "parent" });
    await relocate(session, from, `${target}${name === undefined ? lastPart(from) : pathOf([name])}`);
    const folder = await folderWith(session, id);
    if (folder.path !== from) await record("folder.update", folder, { from });
    return folder;
  });

/** Deletes a folder that is empty, and returns it. */
export const deleteFolder = (services: FolderServices, by: Caller, id: number): Promise<Folder> =>
  changing(services, by, async (session, record) => {
    const folder = await folderWith(session, id);
    const [row] = await session.rows(
      `select 1 where exists (select from upload_folders where starts_with(path, $1::text || '/'))
        or exists (select from files where folder_path = $1::text)`,
      [folder.path],
    );
    if (row) throw new ValidationError("The folder is not empty");
    await session.rows("delete from upload_folders where id = $1", [id]);
    await record("folder.delete", folder);
    return folder;
  });

/** Puts files into a folder, by its path; null is the top. Returns those that were elsewhere. */
const placeFiles = (session: Session, ids: readonly number[], folderPath: string | null): Promise<FileRecord[]> => {
  const isElsewhere = sql`${files.folderPath} is distinct from ${folderPath}`;
  return changeFiles(session, { folderPath }, and(inArray(files.id, [...ids]), isElsewhere));
};

/** What is moved, and into which folder; null is the top. */
export interface Move {
  readonly files: readonly number[];
  readonly folders: readonly number[];
  readonly to: number | null;
}

/** Moves files and folders: all, or none. */
export const moveInto = (services: FolderServices, by: Caller, { files: ids, folders, to }: Move): Promise<void> =>
  changing(services, by, async (session, record) => {
    const target = await namedPath(session, "to", to);
    for (const id of folders) {
      const from = await namedPath(session, "folders", id);
      if (isWithin(target, from)) throw new ValidationError("A folder cannot be moved into itself", { key: "to" });
      const path = `${target}${lastPart(from)}`;
      await relocate(session, from, path);
      if (path !== from) await record("folder.update", { id, path }, { from });
    }
    const known = new Set(
      (await session.rows("select id from files where id = any($1::int[])", [ids])).map(([id]) => numberOf(id ?? null)),
    );
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined) throw new ValidationError(`files: there is no file ${unknown}`, { key: "files" });
    const moved = await placeFiles(session, ids, target === "" ? null : target);
    await Promise.all(moved.map((file) => recordFile(services, session, { action: "update", file }, by)));
    if (moved.length > 0) await record("file.move", { id: to, path: target }, { files: moved.map(({ id }) => id) });
  });

/** Puts a new file into a folder, in the transaction that stores it. */
export const placeFile = async (session: Session, file: number, folder: number): Promise<void> => {
  const path = await readPath(session, folder, "for share");
  if (path === undefined) throw new ValidationError(`folder: there is no folder ${folder}`, { key: "folder" });
  await placeFiles(session, [file], path);
};

/** The paths of all files, each once. Steps from one to the next in the index, however many files there are. */
const PATHS = `
  with recursive steps (path) as (
    select min(folder_path) from files
    union all
    select (select min(folder_path) from files where folder_path > path) from steps where path is not null
  )
  select path from steps where path is not null`;

/** Creates the folders of files that were imported. */
export const addMissingFolders = async (database: Database): Promise<void> => {
  const rows = await database.rows(PATHS);
  const paths = [...new Set(rows.flatMap(([path]) => pathsTo(requiredText(path))))];
  if (paths.length === 0) return;
  await database.rows("insert into upload_folders (path) select unnest($1::text[]) on conflict do nothing", [paths]);
};
