/**
 * Routes of the upload API, whose responses have no `data` envelope, and the route that serves the files. The code that
 * receives, changes and sends files is loaded on first use.
 */
import { type Context, Hono } from "hono";
import type { Caller } from "../../access/caller.ts";
import { NotFoundError } from "../../base/errors.ts";
import { parseId } from "../../media/attach.ts";
import { wireFile } from "../../media/record.ts";
import { relatedTo, takeRelated } from "../../media/related.ts";
import {
  AnswerSize,
  bareList,
  Budget,
  objectsOf,
  prepare,
  type PageLimits,
  type RawQuery,
  readMany,
  unlimited,
} from "../../query/index.ts";
import { fileType } from "../../schema/file-type.ts";
import type { AppEnv } from "../context.ts";
import { requestServices } from "../frame/client.ts";
import { parsedQueryOf } from "../rest/exchange.ts";
import { can } from "../rest/router.ts";

const action = (name: string): string => `plugin::upload.content-api.${name}`;

const fileNotFound = (): NotFoundError => new NotFoundError("file.notFound");

const idOf = (c: Context<AppEnv>): number => {
  const id = parseId(c.req.param("id") ?? "");
  if (id === undefined) throw fileNotFound();
  return id;
};

interface WireFile {
  readonly id: number;
  related?: readonly object[];
  isUrlSigned?: false;
}

/** Members that version 4 of the wire format did not have. */
const NEWER: ReadonlySet<string> = new Set(["documentId", "publishedAt", "focalPoint"]);

const asInVersionFour = (file: WireFile): WireFile => ({
  ...Object.fromEntries(Object.entries(file).filter(([name]) => !NEWER.has(name))),
  id: file.id,
});

/** Reads the files that match a query. */
const read = async (
  c: Context<AppEnv>,
  { populate: asked, ...query }: RawQuery,
  limits?: PageLimits,
  caller = c.get("caller"),
) => {
  const services = requestServices(c);
  const { related, populate } = takeRelated(asked);
  const budget = new Budget(services.config);
  const context = { services, caller, budget, ...(limits && { limits }) };
  const { documents, pagination } = await readMany(context, fileType, { ...query, populate });
  const files = objectsOf(documents).map((file): WireFile => ({ ...file, id: Number(file["id"]) }));
  if (related) {
    const ids = files.map(({ id }) => id);
    const entries = await relatedTo(services, caller, ids, {
      budget,
      size: new AnswerSize(services.config.limits.answerSize),
    });
    for (const file of files) file.related = entries.get(file.id) ?? [];
  }
  if (services.config.rest.format === "v4") return { files: files.map(asInVersionFour), pagination };
  for (const file of files) file.isUrlSigned = false;
  return { files, pagination };
};

/**
 * The list of files, without an envelope: all files, unless `start` and `limit` are given as top-level parameters.
 * `pagination` is ignored here.
 */
const list = (c: Context<AppEnv>): Promise<{ files: readonly WireFile[] }> =>
  read(c, bareList(parsedQueryOf(c)), unlimited);

/** One file with all its fields. The other query parameters are validated and otherwise ignored. */
const findFile = async (c: Context<AppEnv>): Promise<WireFile> => {
  const { populate, ...query } = parsedQueryOf(c);
  prepare({ services: c.get("services"), caller: c.get("caller") }, fileType, query, true);
  const { files } = await read(c, { populate, filters: { id: { $eq: String(idOf(c)) } } });
  const [file] = files;
  if (file === undefined) throw fileNotFound();
  return file;
};

/** A page of the files that match the query and that the caller may read. */
export const answerPage = async (c: Context<AppEnv>, caller?: Caller) => {
  const { files, pagination } = await read(c, parsedQueryOf(c), undefined, caller);
  return c.json({ data: files, meta: { pagination } });
};

export const mediaRoutes = (): Hono<AppEnv> =>
  new Hono<AppEnv>()
    .post("/upload", can(action("upload")), async (c) => (await import("./upload.ts")).upload(c))
    .get("/upload/files", can(action("find")), async (c) => c.json((await list(c)).files))
    .get("/upload/files/page", can(action("findPage")), (c) => answerPage(c))
    .get("/upload/files/:id", can(action("findOne")), async (c) => c.json(await findFile(c)))
    .delete("/upload/files/:id", can(action("destroy")), async (c) => {
      const { deleteFile } = await import("../../media/store.ts");
      return c.json(wireFile(await deleteFile(c.get("services"), idOf(c), c.get("caller"))));
    });

/**
 * Serves files outside of the REST prefix and without authentication: everybody who knows the address may read the
 * file.
 */
export const fileRoutes = (): Hono<AppEnv> =>
  new Hono<AppEnv>().get("/uploads/:key", async (c) => (await import("./serve.ts")).serveFile(c));
