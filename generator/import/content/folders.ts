/** Folders of the media library, which become paths of their files. */
import { isRecord } from "../../../runtime/base/is-record.ts";
import { numberOf, requiredText, type Session } from "../../../runtime/database/database.ts";
import { LONGEST, pathOf } from "../../../runtime/folders/path.ts";
import { FOLDER } from "../../archive/folder-path.ts";
import { storableText } from "./storable-text.ts";

/** Maps a path of numbers to one of names; undefined if a folder is unknown, or the names are too long for a path. */
export type FolderPaths = (path: unknown) => string | null | undefined;

/** Of the staged folders. */
export const readFolders = async (session: Session): Promise<FolderPaths> => {
  const rows = await session.rows("select ref, data from cms_import.contents where type = $1", [FOLDER]);
  const names = new Map<string, string>();
  for (const [ref, text] of rows) {
    const data: unknown = JSON.parse(requiredText(text));
    if (!isRecord(data)) continue;
    const name = typeof data["name"] === "string" ? storableText(data["name"]) : String(numberOf(ref));
    names.set(String(data["pathId"]), name);
  }
  return (path) => {
    if (typeof path !== "string") return null;
    const numbers = path.split("/").filter((part) => part !== "");
    const found = numbers.map((number) => names.get(number)).filter((name) => name !== undefined);
    const named = pathOf(found);
    return found.length < numbers.length || Buffer.byteLength(named ?? "") > LONGEST ? undefined : named;
  };
};

/** Reports folders without files, which nothing here can represent. */
export const leaveOutEmptyFolders = (session: Session): Promise<unknown> =>
  session.rows(
    `with used as (
       select distinct data::json ->> 'folderPath' as path from cms_import.contents where type = 'plugin::upload.file'
     )
     update cms_import.entities as entity set reason = 'no file is in it: folders are kept as paths of files'
     from cms_import.contents as content
     where entity.type = $1 and content.type = entity.type and content.ref = entity.ref and not exists (
       select 1 from used
       where used.path = content.data::json ->> 'path' or starts_with(used.path, (content.data::json ->> 'path') || '/')
     )`,
    [FOLDER],
  );
