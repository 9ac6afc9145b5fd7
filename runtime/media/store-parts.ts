/** The files of one upload: each taken in by itself, so that a refused one does not spoil the others; stored together. */
import { ValidationError } from "../base/errors.ts";
import { attachFile, type Target } from "./attach.ts";
import type { FileInfo } from "./file-info.ts";
import { imageTime } from "./images.ts";
import type { FilePart } from "./multipart.ts";
import { type MediaServices, receive, type Received } from "./receive.ts";
import type { FileRecord } from "./record.ts";
import { type ReadyFile, readyFile, storeReady } from "./store.ts";

/** A file that was taken in, or the reason why it was refused. */
export type Part = Received | ValidationError;

/** A file that is too large ends all of an upload, other refusals only their own part of it. */
const refusal = (error: unknown): ValidationError => {
  if (error instanceof ValidationError) return error;
  throw error;
};

/** Takes a file part in, to `path`. */
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
 * Stores the files that were taken in, with what is said of each, and puts them into `target`: all that were not refused,
 * or, when anything goes wrong, none.
 *
 * @throws the first refusal, when every file was refused; ValidationError when `target` does not take one of them
 */
export const storeParts = async (
  services: MediaServices,
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
  return storeReady(services, ready, target && ((session, { id }) => attachFile(services, session, target, id)));
};
