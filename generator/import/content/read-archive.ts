/** Reads an export once, from start to end: stages rows and links, stores files. */
import path from "node:path";
import type { z } from "zod";
import { SetupError } from "../../../runtime/base/thrown.ts";
import type { Session } from "../../../runtime/database/database.ts";
import { type ArchiveEntry, skipBody } from "./archive-entries.ts";
import { createBatches } from "./batches.ts";
import { highestEntry } from "./highest-entry.ts";
import { linesOf } from "./lines.ts";
import {
  type ConfigurationRecord,
  configurationRecord,
  type EntityRecord,
  entityRecord,
  type LinkRecord,
  linkRecord,
  metadataRecord,
  type SchemaRecord,
  schemaRecord,
} from "./records.ts";
import { insertEntities, insertLinks } from "./staging.ts";
import { storableJson, storableText } from "./storable-text.ts";

/** Facts about the source besides its rows. */
export type Source = Awaited<ReturnType<typeof readArchive>>;

export interface Reading {
  readonly session: Session;
  /** Takes the bytes of a file; `key` is its name in the storage. */
  readonly storeObject: (key: string, entry: ArchiveEntry) => Promise<void>;
  /** Called with what is being read. */
  readonly onStep: (text: string) => void;
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? storableText(value) : null);

const parseLine = <Shape extends z.ZodType>(shape: Shape, name: string, line: string): z.output<Shape> => {
  try {
    return shape.parse(JSON.parse(line));
  } catch (error) {
    throw new SetupError(`${name} holds a line that is none of a Strapi export: ${line.slice(0, 120)}`, {
      cause: error,
    });
  }
};

/** Only types with draft & publish have drafts: rows of other types may lack the date too. */
const isDraft = ({ type, data }: EntityRecord, schemas: ReadonlyMap<string, SchemaRecord>): boolean =>
  data["publishedAt"] === null && schemas.get(type)?.options?.draftAndPublish !== false;

/** SQL reads the rows of plugins too, and cannot read a NUL character in JSON. */
const dataOf = ({ type, data }: EntityRecord): string => {
  const text = JSON.stringify(data);
  return type.startsWith("plugin::") ? JSON.stringify(storableJson(JSON.parse(text))) : text;
};

const stagedEntity = (entity: EntityRecord, schemas: ReadonlyMap<string, SchemaRecord>) => ({
  type: storableText(entity.type),
  ref: entity.id,
  // Without one, it gets one as version 4 rows do.
  document_id: entity.data["documentId"] === "" ? null : textOf(entity.data["documentId"]),
  locale: textOf(entity.data["locale"]),
  is_draft: isDraft(entity, schemas),
  created_at: textOf(entity.data["createdAt"]),
  data: dataOf(entity),
});

/**
 * Reads the row, and the highest id of its component entries.
 *
 * @throws SetupError for values nested too deeply to be written again
 */
const staged = (entity: EntityRecord, schemas: ReadonlyMap<string, SchemaRecord>, name: string) => {
  try {
    return { row: stagedEntity(entity, schemas), highest: highestEntry(schemas, entity.type, entity.data) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SetupError(`${name} holds a value that nests too deeply: ${entity.type} ${entity.id}`, { cause: error });
  }
};

/** Undefined for links between locales of a document in version 5, which shares a documentId instead. */
const stagedLink = ({ left, right }: LinkRecord, seq: number) =>
  typeof left.ref === "number" && (typeof right.ref === "number" || right.documentId !== undefined)
    ? {
        seq,
        left_type: storableText(left.type),
        left_field: textOf(left.field),
        left_ref: left.ref,
        left_pos: left.pos ?? null,
        right_type: storableText(right.type),
        right_field: textOf(right.field),
        right_ref: typeof right.ref === "number" ? right.ref : null,
        right_document: textOf(right.documentId),
        right_pos: right.pos ?? null,
      }
    : undefined;

/** Older versions export other entries: reading them as if current would lose content. */
const checkVersion = (version: string): void => {
  if (/^[45]\b/.test(version)) return;
  throw new SetupError(`the export is of Strapi ${version}: exports of version 4 and 5 can be taken over.`);
};

const LONGEST_METADATA = 1_000_000;

/** The maximum total characters of schemas and settings, all of which are in memory. */
const MOST_SETTINGS = 128 * 1024 * 1024;

const textOfEntry = async (entry: ArchiveEntry): Promise<string> => {
  if (entry.size > LONGEST_METADATA) throw new SetupError(`${entry.name} has more than ${LONGEST_METADATA} bytes.`);
  const lines: string[] = [];
  for await (const line of linesOf(entry.body, entry.name)) lines.push(line);
  return lines.join("\n");
};

type TakeLine = (name: string, line: string) => void | Promise<void>;

/** Handles the lines of an archive. */
const createLines = (session: Session) => {
  const schemas = new Map<string, SchemaRecord>();
  const configuration: ConfigurationRecord[] = [];
  // `highest` is the highest id of a component entry.
  let [seq, highest, settings] = [0, 0, 0];
  const rows = createBatches((batch: readonly ReturnType<typeof stagedEntity>[]) => insertEntities(session, batch));
  const links = createBatches((batch: readonly object[]) => insertLinks(session, batch));

  const inMemory = <Shape extends z.ZodType>(shape: Shape, name: string, line: string): z.output<Shape> => {
    settings += line.length;
    if (settings <= MOST_SETTINGS) return parseLine(shape, name, line);
    throw new SetupError(`${name}: schemas and settings have more than ${MOST_SETTINGS} characters together.`);
  };
  const addLink: TakeLine = async (name, line) => {
    const link = stagedLink(parseLine(linkRecord, name, line), ++seq);
    if (link) await links.add(link, line.length);
  };
  const folders: Readonly<Record<string, TakeLine>> = {
    schemas(name, line) {
      const schema = inMemory(schemaRecord, name, line);
      schemas.set(schema.uid, schema);
    },
    async entities(name, line) {
      const entity = staged(parseLine(entityRecord, name, line), schemas, name);
      highest = Math.max(highest, entity.highest);
      await rows.add(entity.row, line.length);
    },
    links: addLink,
    galley: addLink,
    configuration: (name, line) => void configuration.push(inMemory(configurationRecord, name, line)),
  };
  return {
    folders: new Map(Object.entries(folders)),
    async end() {
      await rows.end();
      await links.end();
      return { schemas, configuration, highestEntry: highest };
    },
  };
};

/**
 * Reads all `entries`.
 *
 * @throws SetupError for a line that does not belong in an export, or if the end is missing
 */
export const readArchive = async (entries: AsyncIterable<ArchiveEntry>, { session, storeObject, onStep }: Reading) => {
  const lines = createLines(session);
  let metadata: z.output<typeof metadataRecord> | undefined;
  for await (const entry of entries) {
    const { name } = entry;
    onStep(`reading ${name}`);
    if (name === "metadata.json") {
      metadata = parseLine(metadataRecord, name, await textOfEntry(entry));
      checkVersion(metadata.strapi.version);
      continue;
    }
    if (name.startsWith("assets/uploads/")) {
      await storeObject(path.posix.basename(name), entry);
      continue;
    }
    const take = name.endsWith(".jsonl") ? lines.folders.get(path.posix.dirname(name)) : undefined;
    if (take === undefined) await skipBody(entry);
    else for await (const line of linesOf(entry.body, name)) if (line !== "") await take(name, line);
  }
  const taken = await lines.end();
  if (metadata === undefined) {
    throw new SetupError("metadata.json is missing, which an export ends with: it is cut off, or something else.");
  }
  const { strapi, galley } = metadata;
  return {
    /** The version of Strapi that wrote it, such as `5.54.0`. */
    version: strapi.version,
    /** Whether `cms export` wrote it, rather than Strapi. */
    isOwn: galley !== undefined,
    ...taken,
  };
};
