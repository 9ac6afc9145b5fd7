/** POST of the upload route: new files, a new file in place of an old one, or what is said of a file. */
import { join } from "node:path";
import type { Context } from "hono";
import { ValidationError } from "../errors.ts";
import { NotFoundError } from "../errors.ts";
import type { AppEnv } from "../rest/context.ts";
import { parseId, readTarget } from "./attach.ts";
import { type FileInfo, readFileInfo } from "./file-info.ts";
import { inWorkspace } from "./media.ts";
import { readMultipart } from "./multipart.ts";
import { type FileRecord, findFile, wireFile } from "./record.ts";
import { type Part, receivePart, storeParts } from "./store-parts.ts";
import { replaceFile, updateFileInfo } from "./store.ts";

interface UploadBody {
  readonly parts: readonly Part[];
  readonly values: ReadonlyMap<string, readonly unknown[]>;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const readBody = async (c: Context<AppEnv>, folder: string): Promise<UploadBody> => {
  const type = c.req.header("content-type") ?? "";
  const values = new Map<string, unknown[]>();
  if (!/^multipart\/form-data\b/i.test(type)) {
    const body = c.get("body");
    if (isObject(body)) for (const [name, value] of Object.entries(body)) values.set(name, [value]);
    return { parts: [], values };
  }
  const services = c.get("services");
  let count = 0;
  const { fields, files } = await readMultipart<Part>(c.req.raw, {
    isFile: (name) => name === "files",
    idle: services.config.media.idleSeconds * 1000,
    take: (part) => receivePart(services, part, join(folder, String(count++))),
  });
  for (const { name, value } of fields) values.set(name, [...(values.get(name) ?? []), value]);
  return { parts: files, values };
};

const textOf = (values: UploadBody["values"], name: string): string | undefined => {
  const value = values.get(name)?.at(-1);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
};

const replaceOrUpdate = async (
  c: Context<AppEnv>,
  id: number,
  parts: readonly Part[],
  info: FileInfo | undefined,
): Promise<FileRecord> => {
  const services = c.get("services");
  const [part] = parts;
  if (part === undefined) return updateFileInfo(services, id, info);
  if (parts.length > 1) throw new ValidationError("Cannot replace a file with multiple ones");
  if (part instanceof ValidationError) throw part;
  return replaceFile(services, id, part, info);
};

/** Which file `?id=` names, if it is there. */
const idOf = (c: Context<AppEnv>): number | undefined => {
  const given = c.req.queries("id");
  if (given === undefined) return undefined;
  const [text = ""] = given;
  if (given.length > 1 || text === "") throw new ValidationError("File id is required and must be a single value");
  const id = parseId(text);
  if (id === undefined) throw new NotFoundError("Entity not found");
  return id;
};

export const upload = async (c: Context<AppEnv>): Promise<Response> => {
  const services = c.get("services");
  const id = idOf(c);
  // An upload of megabytes for a file that is not there need not be read first.
  if (id !== undefined && !(await findFile(services.database, id))) throw new NotFoundError("Entity not found");
  return inWorkspace(services.media, async (folder) => {
    const { parts, values } = await readBody(c, folder);
    const infos = readFileInfo(values.get("fileInfo") ?? []);
    if (id !== undefined) {
      if (parts.length === 0 && !values.has("fileInfo")) throw new ValidationError("Files are empty");
      return c.json(wireFile(await replaceOrUpdate(c, id, parts, infos[0])));
    }
    if (parts.length === 0) throw new ValidationError("Files are empty");
    const [ref, refId, field] = ["ref", "refId", "field"].map((name) => textOf(values, name));
    const target = readTarget(services, c.get("caller"), {
      ...(ref === undefined ? {} : { ref }),
      ...(refId === undefined ? {} : { refId }),
      ...(field === undefined ? {} : { field }),
    });
    return c.json((await storeParts(services, parts, infos, target)).map(wireFile), 201);
  });
};
