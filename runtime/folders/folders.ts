/** Creates, renames, moves and deletes folders. Each change has the whole tree to itself. */
import { NotFoundError, ValidationError } from "../base/errors.ts";
import { type Database, numberOf, requiredText, type Session } from "../database/database.ts";
import { faultOf } from "../database/fault.ts";
import { isWithin, lastPart, namesIn, parentPath, pathOf, pathsTo } from "./path.ts";

/** A folder in responses. */
export interface Folder {
  readonly id: number;
  readonly name: string;
  /** The id of the folder that contains it; null at the top. */
  readonly parent: number | null;
  readonly path: string;
}

/** Most bytes of a path: an entry of an index has to hold it. */
const LONGEST = 2000;

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

/**
 * Runs a change while nobody else changes folders or puts an upload into one; reading goes on.
 *
 * @throws ValidationError if a folder would get the path of another one, or one that is too long
 */
const changing = async <Result>(database: Database, work: (session: Session) => Promise<Result>): Promise<Result> => {
  try {
    return await database.transaction(async (session) => {
      await session.rows("lock table upload_folders in exclusive mode");
      return work(session);
    });
  } catch (error) {
    const fault = faultOf(error);
    if (fault?.code !== "23505" || fault.constraint !== "upload_folders_path_key") throw error;
    throw new ValidationError("There is already a folder of this name", { key: "name" });
  }
};

/** Changes the path of a folder, and of everything in it. */
const relocate = async (session: Session, from: string, to: string): Promise<void> => {
  if (from === to) return;
  const change = (table: string, column: string): Promise<unknown> =>
    session.rows(
      `update ${table} set ${column} = $2::text || substr(${column}, length($1::text) + 1)
        where ${column} = $1::text or starts_with(${column}, $1::text || '/')`,
      [from, to],
    );
  await change("upload_folders", "path");
  await change("files", "folder_path");
  const [row] = await session.rows("select 1 from upload_folders where octet_length(path) > $1 limit 1", [LONGEST]);
  if (row) throw tooLong();
};

const folderWith = async (session: Session, id: number): Promise<Folder> => {
  const found = (await listFolders(session)).find((folder) => folder.id === id);
  if (!found) throw new NotFoundError("folder.notFound");
  return found;
};

export const createFolder = (
  database: Database,
  { name, parent }: { readonly name: string; readonly parent: number | null },
): Promise<Folder> =>
  changing(database, async (session) => {
    const path = `${await namedPath(session, "parent", parent)}${pathOf([name])}`;
    if (Buffer.byteLength(path) > LONGEST) throw tooLong();
    const [row] = await session.rows("insert into upload_folders (path) values ($1) returning id", [path]);
    return folderWith(session, numberOf(row?.[0] ?? null));
  });

export const renameFolder = (database: Database, id: number, name: string): Promise<Folder> =>
  changing(database, async (session) => {
    const path = await demandPath(session, id);
    await relocate(session, path, `${parentPath(path)}${pathOf([name])}`);
    return folderWith(session, id);
  });

/** Deletes a folder that is empty, and returns it. */
export const deleteFolder = (database: Database, id: number): Promise<Folder> =>
  changing(database, async (session) => {
    const folder = await folderWith(session, id);
    const [row] = await session.rows(
      `select 1 where exists (select from upload_folders where starts_with(path, $1::text || '/'))
        or exists (select from files where folder_path = $1::text)`,
      [folder.path],
    );
    if (row) throw new ValidationError("The folder is not empty");
    await session.rows("delete from upload_folders where id = $1", [id]);
    return folder;
  });

/** What is moved, and into which folder; null is the top. */
export interface Move {
  readonly files: readonly number[];
  readonly folders: readonly number[];
  readonly to: number | null;
}

/** Moves files and folders: all, or none. */
export const moveInto = (database: Database, { files, folders, to }: Move): Promise<void> =>
  changing(database, async (session) => {
    const target = await namedPath(session, "to", to);
    for (const id of folders) {
      const path = await namedPath(session, "folders", id);
      if (isWithin(target, path)) throw new ValidationError("A folder cannot be moved into itself", { key: "to" });
      await relocate(session, path, `${target}${lastPart(path)}`);
    }
    const moved = await session.rows(
      "update files set folder_path = nullif($1::text, '') where id = any($2::int[]) returning id",
      [target, files],
    );
    const known = new Set(moved.map(([id]) => numberOf(id ?? null)));
    const unknown = files.find((id) => !known.has(id));
    if (unknown !== undefined) throw new ValidationError(`files: there is no file ${unknown}`, { key: "files" });
  });

/** Puts a new file into a folder, in the transaction that stores it. */
export const placeFile = async (session: Session, file: number, folder: number): Promise<void> => {
  const path = await readPath(session, folder, "for share");
  if (path === undefined) throw new ValidationError(`folder: there is no folder ${folder}`, { key: "folder" });
  await session.rows("update files set folder_path = $1 where id = $2", [path, file]);
};

/** Creates the folders of files that were imported. */
export const addMissingFolders = async (database: Database): Promise<void> => {
  const rows = await database.rows("select distinct folder_path from files where folder_path is not null");
  const paths = new Set(rows.flatMap(([path]) => pathsTo(requiredText(path))));
  const short = [...paths].filter((path) => Buffer.byteLength(path) <= LONGEST);
  if (short.length === 0) return;
  await database.rows("insert into upload_folders (path) select unnest($1::text[]) on conflict do nothing", [short]);
};
