/** Writes lines to standard output. If nobody reads it, or the disk is full, the process keeps running. */
import { writeSync } from "node:fs";
import { hasCode } from "./error-code.ts";

/** Buffered characters at which the buffer is flushed. */
const ENOUGH = 8192;

/** Most bytes that may wait for a reader or for disk space; further lines are dropped and counted. */
const MOST = 1_000_000;

/** Most milliseconds that a line stays buffered. */
const LONGEST_WAIT = 200;

/** How many times an exiting process tries to flush, and the milliseconds between attempts. */
const LAST = { attempts: 20, pause: 50 };

/** Opens it; the returned function takes a line, and whether to write it at once. */
export const openStandardOutput = (): ((line: string, isUrgent: boolean) => void) => {
  let lines = "";
  let rest = Buffer.alloc(0);
  let lost = 0;
  let isRead = true;
  /** Flushes as much as possible now; returns whether anything is left. */
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
