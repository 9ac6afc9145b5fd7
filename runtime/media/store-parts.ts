/**
 * The files of one upload. Each is received separately, so that refusing one does not affect the others; all are stored
 * together.
 */
import { ValidationError } from "../base/errors.ts";
import type { WriteServices } from "../documents/context.ts";
import { attachFile, type Target } from "./attach.ts";
import type { FileInfo } from "./file-info.ts";
import { imageTime } from "./images.ts";
import type { FilePart } from "./multipart.ts";
import { type MediaServices, receive, type Received } from "./receive.ts";
import type { FileRecord } from "./record.ts";
import { type ReadyFile, readyFile, storeReady } from "./store.ts";

/** A received file, or the reason why it was refused. */
export type Part = Received | ValidationError;

/** A file that is too large ends the whole upload; other refusals concern only their file. */
const refusal = (error: unknown): ValidationError => {
  if (error instanceof ValidationError) return error;
  throw error;
};

/** Receives a file part into `path`. */
export const receivePart = async (
  services: Pick<MediaServices, "config">,
  { filename, type, body }: FilePart,
  path: string,
): Promise<Part> => {
  try {
    return await receive(services, { name: filename, type, content: body }, path);
  } catch (error) {
    return refusal(error);
  }
};

/**
 * Stores the received files with their `fileInfo`, and attaches them to `target`: all that were not refused, or none if
 * anything fails.
 *
 * @throws the first refusal, if every file was refused; ValidationError if `target` does not allow one of them
 */
export const storeParts = async (
  services: MediaServices & WriteServices,
  parts: readonly Part[],
  infos: readonly FileInfo[],
  target: Target | undefined,
): Promise<FileRecord[]> => {
  const ready: ReadyFile[] = [];
  const refused: ValidationError[] = [];
  const time = imageTime(services.config.media);
  for (const [index, part] of parts.entries()) {
    try {
      if (part instanceof ValidationError) throw part;
      ready.push(await readyFile(services, part, infos[index], time));
    } catch (error) {
      refused.push(refusal(error));
    }
  }
  const [reason] = refused;
  if (reason && ready.length === 0) throw reason;
  return storeReady(services, ready, target && ((session, file) => attachFile(services, session, target, file)));
};
