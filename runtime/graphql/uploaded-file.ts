/** A file that came with an operation; what the scalar `Upload` stands for. */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { GraphQLScalarType } from "graphql";
import { ValidationError } from "../base/errors.ts";
import type { Received } from "../media/receive.ts";
import type { Part } from "../media/store-parts.ts";

/** It lies in a folder of its own until the operation has been answered. */
export class UploadedFile {
  /** The file, or the reason why it was refused. */
  readonly part: Part;

  constructor(part: Part) {
    this.part = part;
  }

  get #received(): Received {
    if (this.part instanceof ValidationError) throw this.part;
    return this.part;
  }

  get name(): string {
    return this.#received.name;
  }

  /** The media type, told from the content where that is possible. */
  get type(): string {
    return this.#received.type;
  }

  /** In bytes. */
  get size(): number {
    return this.#received.size;
  }

  /** The bytes. */
  open(): Readable {
    return createReadStream(this.#received.path);
  }
}

/** Takes the files of a multipart request only; there is no way to write one down. */
export const uploadScalar = new GraphQLScalarType<UploadedFile, never>({
  name: "Upload",
  description: "The `Upload` scalar type represents a file upload.",
  parseValue: (value) => {
    if (value instanceof UploadedFile) return value;
    throw new Error("Upload value invalid.");
  },
  parseLiteral: () => {
    throw new Error("Upload literal unsupported.");
  },
  serialize: () => {
    throw new Error("Upload serialization unsupported.");
  },
});
