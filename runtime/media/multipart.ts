/** Reads a multipart body part by part. Files are streamed and never held in memory. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { AbandonedError, BadRequestError, HttpError } from "../base/errors.ts";

export interface FilePart {
  readonly field: string;
  readonly filename: string;
  readonly type: string;
  readonly body: Readable;
}

export interface Multipart<Taken> {
  /** The text parts, in order. Names may repeat. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** The results of `take` for the files, in order. */
  readonly files: readonly Taken[];
}

export interface MultipartOptions<Taken> {
  /** Receives a file part. Must read the whole part or destroy it. If it rejects, reading stops. */
  take(part: FilePart): Promise<Taken>;
  /** Whether a part with this name is a file to receive; others are skipped. `before` are the text parts before it. */
  isFile(name: string, before: Multipart<Taken>["fields"]): boolean;
  /** Most milliseconds to wait for the next bytes. */
  readonly idle: number;
  /** Most bytes of all skipped parts together. */
  readonly skippable: number;
}

const LIMITS = { files: 100, fields: 500, parts: 600, fieldSize: 1_048_576, headerPairs: 50, fieldNameSize: 200 };

/** Most characters of all text parts together, since they are held in memory. */
const MOST_TEXT = 2_097_152;

const tooLarge = (what: string): HttpError => new HttpError(413, "PayloadTooLargeError", `${what} too long`, null);
const tooMany = (what: string): HttpError => new HttpError(413, "PayloadTooLargeError", `too many ${what}`, null);

/** The chunks of a body. Throws if the sender stalls for longer than `idle`. */
const chunksOf = async function* (body: NonNullable<Request["body"]>, idle: number) {
  const reader = body.getReader();
  let paused = false;
  // Cancels the pending read. Racing each read against one promise would keep every chunk in memory.
  const timer = setTimeout(() => {
    paused = true;
    reader.cancel().catch(() => {});
  }, idle);
  const next = () =>
    reader.read().catch(() => {
      // The client has disconnected, so nobody waits for a response.
      throw new AbandonedError();
    });
  try {
    for (;;) {
      const { done, value } = await next();
      if (paused) throw new HttpError(408, "RequestTimeoutError", "Request Timeout", null);
      if (done) return;
      timer.refresh();
      yield value;
    }
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
};

const createParser = (contentType: string): BusboyInstance => {
  try {
    return new Busboy({ headers: { "content-type": contentType }, limits: LIMITS });
  } catch (error) {
    throw new BadRequestError(error instanceof Error ? error.message : "Malformed multipart body");
  }
};

/** Parser errors are the client's fault, so they become HttpErrors. */
const asHttpError = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof HttpError) return error;
  const system = "code" in error && typeof error.code === "string" && !error.code.startsWith("ERR_STREAM");
  return system ? error : new BadRequestError(`The multipart body cannot be read: ${error.message}`);
};

/** Why a text part is refused. The parser replaces invalid UTF-8. */
const textFault = (name: string, value: string, isCut: boolean, texts: number): HttpError | undefined => {
  if (isCut) return tooLarge(`${name} is`);
  if (texts > MOST_TEXT) return tooLarge("the texts are");
  return `${name}${value}`.includes("\uFFFD") ? new BadRequestError(`The field ${name} is not valid UTF-8`) : undefined;
};

/** Collects the parts that a parser finds. */
const collect = <Taken>(
  parser: BusboyInstance,
  { take, isFile, skippable }: MultipartOptions<Taken>,
  giveUp: (error: unknown) => void,
) => {
  const fields: { name: string; value: string }[] = [];
  const taken: Promise<Taken>[] = [];
  const open = new Set<Readable>();
  let texts = 0;
  let skipped = 0;
  const wanted = (name: string): boolean => {
    try {
      return isFile(name, fields);
    } catch (error) {
      giveUp(error);
      return false;
    }
  };
  parser.on("field", (name, value, nameCut, valueCut) => {
    texts += value.length;
    const fault = textFault(name, value, nameCut || valueCut, texts);
    if (fault) giveUp(fault);
    else fields.push({ name, value });
  });
  parser.on("file", (name, body, filename, _encoding, type) => {
    body.on("error", () => {});
    // Browsers send a part without a file name for an empty file input.
    if (!filename || !wanted(name)) {
      body.on("data", (chunk: Uint8Array) => {
        skipped += chunk.byteLength;
        if (skipped > skippable) giveUp(tooLarge(`${name} is`));
      });
      return;
    }
    open.add(body);
    const result = take({ field: name, filename, type, body }).finally(() => open.delete(body));
    result.catch(giveUp);
    taken.push(result);
  });
  return { fields, taken, open };
};

/**
 * Reads a multipart request.
 *
 * @throws HttpError 400 for a malformed body, 408 for a stalled upload, 413 for too many parts; what `take` rejects
 *   with
 */
export const readMultipart = async <Taken>(
  request: Request,
  options: MultipartOptions<Taken>,
): Promise<Multipart<Taken>> => {
  const parser = createParser(request.headers.get("content-type") ?? "");
  const abort = new AbortController();
  const giveUp = (error: unknown): void => abort.abort(error);
  const { fields, taken, open } = collect(parser, options, giveUp);
  for (const event of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
    parser.on(event, () => giveUp(tooMany(event.replace("Limit", ""))));
  }
  try {
    const source = request.body ? chunksOf(request.body, options.idle) : Readable.from([]);
    await pipeline(source, parser, { signal: abort.signal });
  } catch (error) {
    const reason = abort.signal.aborted ? abort.signal.reason : asHttpError(error);
    for (const body of open) body.destroy(reason instanceof Error ? reason : undefined);
    await Promise.allSettled(taken);
    throw reason;
  }
  return { fields, files: await Promise.all(taken) };
};
