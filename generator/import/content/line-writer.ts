/** Writes JSON lines to a file that may hold private values, readable by its owner only. */
import { once } from "node:events";
import { createWriteStream, openSync } from "node:fs";
import { finished } from "node:stream/promises";
import { SetupError } from "../../../runtime/base/setup-error.ts";
import { messageOf } from "../../../runtime/base/thrown.ts";

export interface LineWriter {
  /** Returns whether there is room for more; otherwise {@link LineWriter.drained} resolves when there is. */
  write(value: unknown): boolean;
  drained(): Promise<unknown>;
  /** Resolves when everything is written. */
  end(): Promise<void>;
}

/** @throws SetupError, here or later, if the file cannot be written */
export const createLineWriter = (file: string): LineWriter => {
  const fault = (cause: unknown): SetupError =>
    new SetupError(`${file} cannot be written: ${messageOf(cause)}`, { cause });
  const open = (): number => {
    try {
      return openSync(file, "w", 0o600);
    } catch (error) {
      throw fault(error);
    }
  };
  const stream = createWriteStream(file, { fd: open() });
  let failure: unknown;
  stream.on("error", (error) => void (failure ??= error));
  return {
    write(value) {
      if (failure !== undefined) throw fault(failure);
      return stream.write(`${JSON.stringify(value)}\n`);
    },
    drained: () => once(stream, "drain"),
    async end() {
      stream.end();
      await finished(stream).catch((error: unknown) => {
        throw fault(failure ?? error);
      });
    },
  };
};
