/** Writes JSON lines to a file that may hold private values, readable by its owner only. */
import { closeSync, openSync, writeFileSync } from "node:fs";
import { messageOf, SetupError } from "../../../runtime/base/thrown.ts";

/** How many characters to collect for one write. */
const CHUNK = 65_536;

/** @throws SetupError, here or later, if the file cannot be written */
export const createLineWriter = (file: string) => {
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (cause) {
      throw new SetupError(`${file} cannot be written: ${messageOf(cause)}`, { cause });
    }
  };
  const opened = attempt(() => openSync(file, "w", 0o600));
  let text = "";
  const flush = (): void => {
    attempt(() => writeFileSync(opened, text));
    text = "";
  };
  return {
    write(value: unknown): void {
      text += `${JSON.stringify(value)}\n`;
      if (text.length >= CHUNK) flush();
    },
    /** Writes what is collected, and closes the file. */
    end(): void {
      flush();
      attempt(() => closeSync(opened));
    },
  };
};
