/** The files of one upload: each taken in and stored by itself, so that a refused one does not spoil the others. */
import { ValidationError } from "../base/errors.ts";
import type { Session } from "../database/database.ts";
import { attachFile, type Target } from "./attach.ts";
import type { FileInfo } from "./file-info.ts";
import type { FilePart } from "./multipart.ts";
import { type MediaServices, receive, type Received } from "./receive.ts";
import type { FileRecord } from "./record.ts";
import { storeReceived } from "./store.ts";

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
 * Stores the files that were taken in, with what is said of each, and puts them into `target`.
 *
 * @throws the first refusal, when every file was refused
 */
export const storeParts = async (
  services: MediaServices,
  parts: readonly Part[],
  infos: readonly FileInfo[],
  target: Target | undefined,
): Promise<FileRecord[]> => {
  const attach = target && {
    attach: (session: Session, { id }: FileRecord) => attachFile(services, session, target, id),
  };
  const stored: FileRecord[] = [];
  const refused: ValidationError[] = [];
  for (const [index, part] of parts.entries()) {
    try {
      if (part instanceof ValidationError) throw part;
      stored.push(await storeReceived(services, part, { info: infos[index], ...attach }));
    } catch (error) {
      refused.push(refusal(error));
    }
  }
  const [reason] = refused;
  if (reason && stored.length === 0) throw reason;
  return stored;
};
