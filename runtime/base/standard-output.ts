/** Writes lines to the standard output whatever becomes of it: the process goes on where nobody reads, or a disk is full. */
import { writeSync } from "node:fs";
import { hasCode } from "./error-code.ts";

/** Characters from which on lines that wait are written. */
const ENOUGH = 8192;

/** Bytes that may wait for a reader, or for space on a disk: lines beyond that are lost, and counted. */
const MOST = 1_000_000;

/** Milliseconds that lines wait at most. */
const LONGEST_WAIT = 200;

/** How often a process that ends tries to write what waits, and milliseconds between. */
const LAST = { attempts: 20, pause: 50 };

/** Opens it; the result takes lines, and whether each has to be written at once. */
export const openStandardOutput = (): ((line: string, isUrgent: boolean) => void) => {
  let lines = "";
  let rest = Buffer.alloc(0);
  let lost = 0;
  let isRead = true;
  /** Writes what waits, as far as that is possible now; returns whether some still waits. */
  const flush = (): boolean => {
    if (lines !== "") rest = Buffer.concat([rest, Buffer.from(lines)]);
    lines = "";
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      isRead = !hasCode(error, "EPIPE");
    }
    if (rest.length === 0 && lost > 0) {
      const time = new Date().toISOString();
      lines = `${JSON.stringify({ level: 40, time, lines: lost, msg: "lines of the log are lost" })}\n`;
      lost = 0;
    }
    return isRead && lines.length + rest.length > 0;
  };
  setInterval(flush, LONGEST_WAIT).unref();
  process.once("exit", () => {
    const never = new Int32Array(new SharedArrayBuffer(4));
    for (let attempt = 0; attempt < LAST.attempts && flush(); attempt += 1) Atomics.wait(never, 0, 0, LAST.pause);
  });
  return (line, isUrgent) => {
    if (!isRead || rest.length > MOST) lost += 1;
    else lines += line;
    if (isRead && (isUrgent || lines.length >= ENOUGH)) flush();
  };
};
