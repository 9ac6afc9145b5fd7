/**
 * Operations with file uploads: a form of `operations` (JSON, with null in place of each file), `map` (JSON: the places
 * of each file part) and the files. The limits and allowed types are those of every upload.
 */
import { join } from "node:path";
import { isRecord } from "../../base/is-record.ts";
import type { Services } from "../../http/context.ts";
import { parseJson } from "../../http/frame/body.ts";
import { type FilePart, readMultipart } from "../../media/multipart.ts";
import { receivePart } from "../../media/store-parts.ts";
import { UploadedFile } from "../uploaded-file.ts";
import { ProtocolError } from "./protocol.ts";

interface TakenFile {
  readonly name: string;
  readonly file: UploadedFile;
}

type Places = ReadonlyMap<string, readonly string[]>;

type Fields = readonly { readonly name: string; readonly value: string }[];

const jsonField = (fields: Fields, name: string, { config }: Pick<Services, "config">): unknown => {
  const text = fields.find((field) => field.name === name)?.value;
  if (text === undefined) throw new ProtocolError(400, `The form has no field "${name}" before its files.`);
  return parseJson(text, config.limits.bodyMembers);
};

/** The places of each file, by the name of its part. */
const placesIn = (fields: Fields, services: Services): Places => {
  const map = jsonField(fields, "map", services);
  if (!isRecord(map)) throw new ProtocolError(400, 'The field "map" must be a JSON object.');
  return new Map(
    Object.entries(map).map(([name, places]) => {
      if (!Array.isArray(places) || !places.every((place) => typeof place === "string")) {
        throw new ProtocolError(400, `The field "map" must have a list of places for "${name}".`);
      }
      return [name, places] as const;
    }),
  );
};

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Replaces a null in the operation with its file, for example at `variables.files.0`. */
const put = (operation: unknown, place: string, file: UploadedFile): void => {
  const steps = place.split(".");
  const last = steps.pop() ?? "";
  let container: unknown = operation;
  for (const step of steps) {
    container = isContainer(container) && Object.hasOwn(container, step) ? container[step] : undefined;
  }
  if (!isContainer(container) || !Object.hasOwn(container, last) || container[last] !== null) {
    throw new ProtocolError(400, `The field "map" has a place that is not null in the operation: "${place}".`);
  }
  container[last] = file;
};

/**
 * Reads a multipart request into the body of an operation, and stores its files in a folder.
 *
 * @param folder exists while the operation runs
 */
export const readMultipartBody = async (services: Services, request: Request, folder: string): Promise<unknown> => {
  let places: Places | undefined;
  let count = 0;
  const { fields, files } = await readMultipart<TakenFile>(request, {
    isFile: (name, before) => (places ??= placesIn(before, services)).has(name),
    idle: services.config.media.idleSeconds * 1000,
    skippable: services.config.media.sizeLimit,
    take: async (part: FilePart) => {
      const received = await receivePart(services, part, join(folder, String(count++)));
      return { name: part.field, file: new UploadedFile(received) };
    },
  });
  const operation = jsonField(fields, "operations", services);
  for (const [name, where] of places ?? placesIn(fields, services)) {
    const taken = files.find((file) => file.name === name);
    if (!taken) throw new ProtocolError(400, `The form has no file "${name}".`);
    for (const place of where) put(operation, place, taken.file);
  }
  return operation;
};
