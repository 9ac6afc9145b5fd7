/** Folders of the media library, and which files are in them. */
import type { Context } from "hono";
import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { onlyThese, readBody } from "../accounts/body-check.ts";
import { NotFoundError } from "../base/errors.ts";
import { textFault } from "../base/text-fault.ts";
import type { AppEnv, Feature } from "../http/context.ts";
import { answerPage } from "../http/media/routes.ts";
import { checked } from "../http/rest/checked.ts";
import { can, type Router, router } from "../http/rest/router.ts";
import { parseId } from "../media/attach.ts";
import { fileType } from "../schema/file-type.ts";
import {
  addMissingFolders,
  createFolder,
  deleteFolder,
  demandPath,
  listFolders,
  moveInto,
  placeFile,
  changeFolder,
} from "./folders.ts";
import { uploadFolders } from "./tables.ts";

// No name ends with `find`, which read-only tokens could do: names of folders are not for the public.
const LIST = "plugin::upload.folder.list";
const CHANGE = "plugin::upload.folder.change";

/** Most folders, and most files, of one move. */
const MOST = 1000;

const id = z.number().int().positive().max(2_147_483_647);
const name = z
  .string()
  .transform((text) => text.trim().normalize("NFC"))
  .refine((text) => text.length > 0 && text.length <= 100, { error: "name must have 1 to 100 characters" })
  .refine((text) => textFault(text) === undefined && !/\p{Cc}/u.test(text), {
    error: "name must not contain control characters",
  });

export const newFolder = onlyThese({ name, parent: id.nullable().default(null) });
export const changedFolder = onlyThese({ name: name.optional(), parent: id.nullable().optional() });
export const move = onlyThese({
  files: z.array(id).max(MOST).default([]),
  folders: z.array(id).max(MOST).default([]),
  to: id.nullable(),
});
const placed = z.object({ folder: id.nullish() });

const idOf = (c: Context<AppEnv>): number => {
  const found = parseId(c.req.param("id") ?? "");
  if (found === undefined) throw new NotFoundError("folder.notFound");
  return found;
};

/** The caller, limited to the files of one folder; null is the top. */
const within = (caller: Caller, path: string | null): Caller => {
  const where = path === null ? { folderPath: { $null: true } } : { folderPath: { $eq: path } };
  const filters = new Map(caller.rows?.filters).set(`${fileType.uid}.find`, [{ where, locales: undefined }]);
  return { ...caller, rows: { key: JSON.stringify([...filters]), filters } };
};

export const folderRoutes = (): Router =>
  router()
    .get("/upload/folders", can(LIST), async (c) => c.json(await listFolders(c.get("services").database)))
    .get("/upload/folders/:id/files", can(LIST), can("plugin::upload.content-api.findPage"), async (c) => {
      const isTop = c.req.param("id") === "top";
      const path = isTop ? null : await demandPath(c.get("services").database, idOf(c));
      return answerPage(c, within(c.get("caller"), path));
    })
    .post("/upload/folders", can(CHANGE), async (c) =>
      c.json(await createFolder(c.get("services"), c.get("caller"), readBody(newFolder, c.get("body"))), 201),
    )
    .put("/upload/folders/:id", can(CHANGE), async (c) =>
      c.json(await changeFolder(c.get("services"), c.get("caller"), idOf(c), readBody(changedFolder, c.get("body")))),
    )
    .delete("/upload/folders/:id", can(CHANGE), async (c) =>
      c.json(await deleteFolder(c.get("services"), c.get("caller"), idOf(c))),
    )
    .post("/upload/move", can(CHANGE), async (c) => {
      await moveInto(c.get("services"), c.get("caller"), readBody(move, c.get("body")));
      return c.body(null, 204);
    });

export const foldersFeature = (): Feature => ({
  tables: [uploadFolders],
  routes: folderRoutes(),
  async place(session, file, given) {
    const { folder } = checked(placed, { folder: given });
    if (folder) await placeFile(session, file, folder);
  },
  async start({ database }) {
    await addMissingFolders(database);
    return () => Promise.resolve();
  },
});
