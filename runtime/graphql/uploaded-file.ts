/** A file sent with an operation: the value of the scalar `Upload`. */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { GraphQLScalarType } from "graphql";
import { ValidationError } from "../base/errors.ts";
import type { Received } from "../media/receive.ts";
import type { Part } from "../media/store-parts.ts";

/** A file in a temporary folder, which exists until the operation has been answered. */
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

  /** The media type, detected from the content if possible. */
  get type(): string {
    return this.#received.type;
  }

  /** Its size in bytes. */
  get size(): number {
    return this.#received.size;
  }

  /** The bytes. */
  open(): Readable {
    return createReadStream(this.#received.path);
  }
}

/** Takes only the files of a multipart request; there is no literal for a file. */
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
