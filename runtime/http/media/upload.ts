/** POST of the upload route: stores new files, replaces a file, or changes the information about a file. */
import { join } from "node:path";
import type { Context } from "hono";
import { NotFoundError, ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { parseId, readTarget } from "../../media/attach.ts";
import { type FileInfo, readFileInfos, readOneFileInfo } from "../../media/file-info.ts";
import { inWorkspace } from "../../media/media.ts";
import { readMultipart } from "../../media/multipart.ts";
import { type FileRecord, findFile, wireFile } from "../../media/record.ts";
import { type Part, receivePart, storeParts } from "../../media/store-parts.ts";
import { replaceFile, updateFileInfo } from "../../media/store.ts";
import type { AppEnv } from "../context.ts";
import { parsedQueryOf } from "../rest/exchange.ts";

const readBody = async (c: Context<AppEnv>, folder: string) => {
  const type = c.req.header("content-type") ?? "";
  const values = new Map<string, unknown[]>();
  if (!/^multipart\/form-data\b/i.test(type)) {
    const body = c.get("body");
    if (isRecord(body)) for (const [name, value] of Object.entries(body)) values.set(name, [value]);
    return { parts: [], values };
  }
  const services = c.get("services");
  let count = 0;
  const { fields, files } = await readMultipart<Part>(c.req.raw, {
    isFile: (name) => name === "files",
    idle: services.config.media.idleSeconds * 1000,
    skippable: services.config.media.sizeLimit,
    take: (part) => receivePart(services, part, join(folder, String(count++))),
  });
  for (const { name, value } of fields) values.set(name, [...(values.get(name) ?? []), value]);
  const [only] = files;
  // Browsers send one empty file for a form field in which no file was chosen.
  const isNothing = files.length === 1 && !(only instanceof ValidationError) && only?.size === 0;
  return { parts: isNothing ? [] : files, values };
};

const formText = (values: ReadonlyMap<string, readonly unknown[]>, name: string): string | undefined => {
  const value = values.get(name)?.at(-1);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
};

const replaceOrUpdate = async (
  c: Context<AppEnv>,
  id: number,
  part: Part | undefined,
  info: FileInfo | undefined,
): Promise<FileRecord> => {
  const services = c.get("services");
  if (part === undefined) return updateFileInfo(services, id, info);
  if (part instanceof ValidationError) throw part;
  return replaceFile(services, id, part, info);
};

/** The file id in `?id=`; undefined when the parameter is missing or empty. */
const idOf = (c: Context<AppEnv>): number | undefined => {
  const { id: given } = parsedQueryOf(c);
  if (given === undefined || given === null || given === "") return undefined;
  if (typeof given !== "string") throw new ValidationError("File id is required and must be a single value");
  const id = parseId(given);
  if (id === undefined) throw new NotFoundError("Entity not found");
  return id;
};

export const upload = async (c: Context<AppEnv>): Promise<Response> => {
  const services = c.get("services");
  const id = idOf(c);
  // Checked before the body is read: the upload may be large, and is useless if the file does not exist.
  if (id !== undefined && !(await findFile(services.database, id))) throw new NotFoundError("Entity not found");
  return inWorkspace(services.media, async (folder) => {
    const { parts, values } = await readBody(c, folder);
    const given = values.get("fileInfo") ?? [];
    if (id !== undefined) {
      if (parts.length > 1) throw new ValidationError("Cannot replace a file with multiple ones");
      return c.json(wireFile(await replaceOrUpdate(c, id, parts[0], readOneFileInfo(given))));
    }
    if (parts.length === 0) throw new ValidationError("Files are empty");
    const infos = parts.length > 1 ? readFileInfos(given) : [readOneFileInfo(given) ?? {}];
    const [ref, refId, field] = ["ref", "refId", "field"].map((name) => formText(values, name));
    const target = readTarget(services, c.get("caller"), { ref, refId, field });
    return c.json((await storeParts(services, parts, infos, target)).map(wireFile), 201);
  });
};
