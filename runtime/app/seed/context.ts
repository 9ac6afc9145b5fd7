import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { didYouMean } from "../../base/did-you-mean.ts";
import { hasCode } from "../../base/error-code.ts";
import { HttpError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { SetupError } from "../../base/setup-error.ts";
import { messageOf, traceOf } from "../../base/thrown.ts";
import type { ContentType, Uid } from "../../schema/content-type.ts";
import type { Registry } from "../../schema/registry.ts";
import type { SeedClient } from "./client.ts";
import type { SeedContext, SeedFileInfo } from "./seed.ts";

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

/** The value by which an existing document is found; undefined if the document has no key. */
const keyValue = ({ key, data }: AnySeedDocument): unknown =>
  key !== undefined && isRecord(data) ? data[key] : undefined;

const identified = z.object({ documentId: z.string() });
const one = z.object({ data: identified });
const many = z.object({ data: z.array(identified) });
const uploaded = z.array(z.object({ id: z.number() }));

/** Reads the draft, which exists whether or not the document is published. */
const asDraft = ({ draftAndPublish }: ContentType) => (draftAndPublish ? { status: "draft" } : {});

/** The path of a document; for single types, without a documentId. */
const pathOf = ({ kind, singularName, pluralName }: ContentType, documentId: string): string =>
  kind === "singleType" ? `/${singularName}` : `/${pluralName}/${documentId}`;

const findDocument = async (
  client: SeedClient,
  type: ContentType,
  entry: AnySeedDocument,
): Promise<string | undefined> => {
  if (type.kind === "singleType") {
    const answer = await client.get(`/${type.singularName}`, asDraft(type));
    return answer === undefined ? undefined : one.parse(answer).data.documentId;
  }
  const { key } = entry;
  const value = keyValue(entry);
  if (key === undefined || value === undefined) {
    throw new SetupError(`a seed of ${type.uid} needs a "key": an attribute by which it is found again`);
  }
  const query = { filters: { [key]: { $eq: value } }, pagination: { pageSize: 1 }, ...asDraft(type) };
  return many.parse(await client.get(`/${type.pluralName}`, query)).data[0]?.documentId;
};

const createDocument = async (client: SeedClient, type: ContentType, query: object, data: unknown): Promise<string> => {
  const answer =
    type.kind === "singleType"
      ? await client.send("PUT", `/${type.singularName}`, query, { data })
      : await client.send("POST", `/${type.pluralName}`, query, { data });
  return one.parse(answer).data.documentId;
};

/** @throws SetupError when the file does not exist or cannot be read */
const readIn = async (folder: string, name: string): Promise<Uint8Array<ArrayBuffer>> => {
  const file = path.join(folder, name);
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    const why = hasCode(error, "ENOENT") ? "is missing" : `cannot be read: ${messageOf(error)}`;
    throw new SetupError(`${file} ${why}`, { cause: error });
  }
};

/** @throws SetupError for an unknown uid */
const typeOf = (registry: Registry, uid: string): ContentType => {
  if (registry.has(uid)) return registry.contentType(uid);
  throw new SetupError(`there is no content type of that uid.${didYouMean(uid, Object.keys(registry.contentTypes))}`);
};

export interface SeedRun {
  /** The absolute path of the seed's folder. */
  readonly folder: string;
  /** Updated with the numbers of created and existing documents. */
  readonly count: SeedCount;
  /** Called before each file and document. */
  readonly onStep: (subject: string) => void;
}

/** Creates the context of a seed. */
export const createSeedContext = (
  client: SeedClient,
  registry: Registry,
  { folder, count, onStep }: SeedRun,
): AnySeedContext => {
  const tally = (wasThere: boolean): void => {
    if (wasThere) count.present++;
    else count.created++;
  };

  /** Adds to errors which document they are about. */
  const about = async <Result>(subject: string, work: () => Promise<Result>): Promise<Result> => {
    onStep(subject);
    try {
      return await work();
    } catch (error) {
      const isExpected = error instanceof SetupError || error instanceof HttpError;
      throw new SetupError(`${subject}: ${isExpected ? error.message : traceOf(error)}`, { cause: error });
    }
  };

  const file = async (name: string, info: SeedFileInfo): Promise<number> => {
    const base = path.basename(name);
    const bytes = await readIn(folder, name);
    const found = uploaded.parse(await client.get("/upload/files", { filters: { name: { $eq: base } } }));
    if (found[0]) {
      tally(true);
      return found[0].id;
    }
    const form = new FormData();
    form.append("files", new Blob([bytes]), base);
    form.append("fileInfo", JSON.stringify(info));
    const [created] = uploaded.parse(await client.send("POST", "/upload", {}, form));
    if (!created) throw new Error("an upload gave no file");
    tally(false);
    return created.id;
  };

  const document = async (type: ContentType, entry: AnySeedDocument): Promise<string> => {
    const status = entry.draft ? { status: "draft" } : {};
    const found = await findDocument(client, type, entry);
    const documentId = found ?? (await createDocument(client, type, status, entry.data));
    tally(found !== undefined);
    for (const [locale, data] of Object.entries(entry.translations ?? {})) {
      const translation = await client.get(pathOf(type, documentId), { locale, ...asDraft(type) });
      if (translation === undefined)
        await client.send("PUT", pathOf(type, documentId), { locale, ...status }, { data });
      tally(translation !== undefined);
    }
    return documentId;
  };

  return {
    file: (name, info = {}) => about(name, () => file(name, info)),
    document: (uid, entry) => {
      const label = entry.key === undefined ? uid : `${uid} "${String(keyValue(entry))}"`;
      return about(label, () => document(typeOf(registry, uid), entry));
    },
  };
};
