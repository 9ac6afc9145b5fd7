/** Runs the seed of a project. It writes through the same operations as requests, with the same checks and hooks. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { z } from "zod";
import { system } from "../../access/caller.ts";
import { didYouMean } from "../../base/did-you-mean.ts";
import { HttpError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { hasCode, messageOf, SetupError, traceOf } from "../../base/thrown.ts";
import { refusedValue, unwrapped } from "../../database/fault.ts";
import * as operations from "../../documents/operations/index.ts";
import type { Services } from "../../http/context.ts";
import { readOneFileInfo } from "../../media/file-info.ts";
import { OCTETS } from "../../media/file-types.ts";
import { inWorkspace } from "../../media/media.ts";
import { receivePart, storeParts } from "../../media/store-parts.ts";
import { objectOf, type RawQuery, readMany, readOne, readSingle } from "../../query/index.ts";
import type { ContentType, Uid } from "../../schema/content-type.ts";
import { fileType } from "../../schema/file-type.ts";
import { loadModule } from "../loader/load-module.ts";
import type { SeedContext, SeedFileInfo, Seed } from "./seed.ts";

export interface SeedCount {
  created: number;
  present: number;
}

/** A document in a seed, whose type is known only at run time. */
interface AnySeedDocument {
  readonly key?: string;
  readonly data: unknown;
  readonly translations?: Readonly<Record<string, unknown>>;
  readonly draft?: true;
}

/** The seed's context for any types. */
interface AnySeedContext extends Pick<SeedContext, "file"> {
  document(uid: Uid, document: AnySeedDocument): Promise<string>;
}

export interface SeedRun {
  readonly services: Services;
  /** The absolute path of the seed's folder. */
  readonly folder: string;
  /** Updated with the numbers of created and existing documents. */
  readonly count: SeedCount;
  /** Called before each file and document. */
  readonly onStep: (subject: string) => void;
}

const contextOf = ({ services }: SeedRun): operations.OperationContext => ({ services, caller: system });

/** The value by which an existing document is found; undefined if the document has no key. */
const keyValue = ({ key, data }: AnySeedDocument): unknown =>
  key !== undefined && isRecord(data) ? data[key] : undefined;

/** Reads the draft, which exists whether or not the document is published. */
const asDraft = ({ draftAndPublish }: ContentType) => (draftAndPublish ? { status: "draft" } : {});

/** The first document, or file, that has a value. */
const findBy = async (run: SeedRun, type: ContentType, name: string, value: unknown) => {
  const query = { filters: { [name]: { $eq: String(value) } }, pagination: { start: 0, limit: 1 }, ...asDraft(type) };
  const { documents } = await readMany(contextOf(run), type, query);
  return documents.rows.length === 0 ? null : documents;
};

const findDocument = async (run: SeedRun, type: ContentType, entry: AnySeedDocument) => {
  const { key } = entry;
  const value = keyValue(entry);
  if (key === undefined || value === undefined) {
    throw new SetupError(`a seed of ${type.uid} needs a "key": an attribute by which it is found again`);
  }
  return findBy(run, type, key, value);
};

const dataSchema = z.record(z.string(), z.unknown());

/** Data in the shape of a request. */
const requestOf = (data: unknown, query: RawQuery): operations.OperationRequest => ({
  data: dataSchema.parse(JSON.parse(JSON.stringify(data))),
  query,
});

const tally = ({ count }: SeedRun, wasThere: boolean): void => {
  if (wasThere) count.present++;
  else count.created++;
};

/** Reads and writes the one document of a single type, or a document found by its key. */
const accessTo = (run: SeedRun, type: ContentType, entry: AnySeedDocument) => {
  const context = contextOf(run);
  if (type.kind === "singleType") {
    const write = (request: operations.OperationRequest) => operations.updateSingle(context, type, request);
    const read = (query: RawQuery) => readSingle(context, type, query);
    return { create: write, find: () => read(asDraft(type)), read, update: write };
  }
  return {
    create: (request: operations.OperationRequest) => operations.create(context, type, request),
    find: () => findDocument(run, type, entry),
    read: (query: RawQuery, documentId: string) => readOne(context, type, documentId, query),
    update: (request: operations.OperationRequest, documentId: string) =>
      operations.update(context, type, documentId, request),
  };
};

const seedDocument = async (run: SeedRun, type: ContentType, entry: AnySeedDocument): Promise<string> => {
  const { create, find, read, update } = accessTo(run, type, entry);
  const status = entry.draft ? { status: "draft" } : {};
  const found = await find();
  const done = found ? objectOf(found) : await create(requestOf(entry.data, status));
  tally(run, found !== null);
  const documentId = String(done?.["documentId"]);
  for (const [locale, data] of Object.entries(entry.translations ?? {})) {
    const translation = await read({ locale, ...asDraft(type) }, documentId);
    if (!translation) await update(requestOf(data, { locale, ...status }), documentId);
    tally(run, translation !== null);
  }
  return documentId;
};

/** @throws SetupError when the file does not exist or cannot be read */
const readIn = async (folder: string, name: string): Promise<Uint8Array> => {
  const file = path.join(folder, name);
  try {
    return await readFile(file);
  } catch (error) {
    const why = hasCode(error, "ENOENT") ? "is missing" : `cannot be read: ${messageOf(error)}`;
    throw new SetupError(`${file} ${why}`, { cause: error });
  }
};

const storeFile = ({ services }: SeedRun, filename: string, bytes: Uint8Array, info: SeedFileInfo): Promise<number> =>
  inWorkspace(services.media, async (workspace) => {
    const part = { field: "files", filename, type: OCTETS, body: Readable.from([bytes]) };
    const received = await receivePart(services, part, path.join(workspace, "0"));
    const infos = [readOneFileInfo([JSON.stringify(info)]) ?? {}];
    const [created] = await storeParts(services, [received], infos, undefined);
    if (!created) throw new Error("an upload gave no file");
    return created.id;
  });

const seedFile = async (run: SeedRun, name: string, info: SeedFileInfo): Promise<number> => {
  const filename = path.basename(name);
  const bytes = await readIn(run.folder, name);
  const found = await findBy(run, fileType, "name", filename);
  const id = found ? Number(objectOf(found)["id"]) : await storeFile(run, filename, bytes, info);
  tally(run, found !== null);
  return id;
};

const refusalSchema = z.object({ errors: z.array(z.object({ path: z.array(z.unknown()), message: z.string() })) });

/** Why something failed; a single line if the API refused what the seed writes. */
const reasonOf = (error: unknown): string => {
  if (error instanceof SetupError) return error.message;
  const refusal = refusedValue(error) ?? unwrapped(error);
  if (!(refusal instanceof HttpError) || refusal.status >= 500) return traceOf(error);
  const { data } = refusalSchema.safeParse(refusal.details);
  return data?.errors.map((each) => `${each.path.join(".")}: ${each.message}`).join("; ") ?? refusal.message;
};

/** @throws SetupError for an unknown uid */
const typeOf = ({ services: { registry } }: SeedRun, uid: string): ContentType => {
  if (registry.has(uid)) return registry.contentType(uid);
  throw new SetupError(`there is no content type of that uid.${didYouMean(uid, Object.keys(registry.contentTypes))}`);
};

/** Creates the context of a seed. Its errors say which document or file they are about. */
export const createSeedContext = (run: SeedRun): AnySeedContext => {
  const about = async <Result>(subject: string, work: () => Promise<Result>): Promise<Result> => {
    run.onStep(subject);
    try {
      return await work();
    } catch (error) {
      throw new SetupError(`${subject}: ${reasonOf(error)}`, { cause: error });
    }
  };
  return {
    file: (name, info = {}) => about(name, () => seedFile(run, name, info)),
    document: (uid, entry) => {
      const label = entry.key === undefined ? uid : `${uid} "${String(keyValue(entry))}"`;
      return about(label, () => seedDocument(run, typeOf(run, uid), entry));
    },
  };
};

const isSeed = (value: unknown): value is Seed => typeof value === "function";

/** Says what a failed seed leaves in the database, since every document is written separately. */
const leftBehind = ({ created }: SeedCount): string =>
  created === 0 ? "" : `\nWhat was created before stays (${created}): the next run continues after it.`;

/**
 * Runs `seed/index.ts` next to the schema files of a project. Returns how many documents and files were created, and
 * how many existed already.
 * @param onStep called before each file and document
 * @throws SetupError when there is no seed, or when a part of it fails or is refused
 */
export const runSeed = async (
  root: string,
  services: Services,
  onStep: (subject: string) => void = () => {},
): Promise<SeedCount> => {
  const folder = path.join(services.config.generate.from, "seed");
  const entry = path.join(folder, "index.ts");
  if (!existsSync(path.join(root, entry))) {
    throw new SetupError(`${path.join(root, entry)} is missing: a seed default-exports defineSeed(...) from there.`);
  }
  const { default: seed } = await loadModule({ root, name: "seed", entry });
  if (!isSeed(seed)) throw new SetupError(`${entry} must default-export defineSeed(async (context) => { ... }).`);
  const count: SeedCount = { created: 0, present: 0 };
  const context = createSeedContext({ services, folder: path.join(root, folder), count, onStep });
  try {
    await seed({ ...context, db: services.db });
  } catch (error) {
    const reason = error instanceof SetupError ? error.message : `${entry} has failed: ${traceOf(error)}`;
    throw new SetupError(`${reason}${leftBehind(count)}`, { cause: error });
  }
  return count;
};
