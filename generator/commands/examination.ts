/** Runs `cms doctor` for a server, in another process: the server loads none of its code, and waits for none of it. */
import { execFile } from "node:child_process";

/** Milliseconds that an examination may take. */
const PATIENCE = 120_000;

/** The findings of `cms doctor` in the project's folder. */
const examine = (root: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const args = [process.argv[1] ?? "", "--root", root, "doctor", "--json"];
    execFile(process.execPath, args, { maxBuffer: Infinity, timeout: PATIENCE }, (error, stdout, stderr) => {
      // It exits with 1 where it finds something.
      if (stdout.startsWith("{")) resolve(JSON.parse(stdout));
      else reject(new Error(`cms doctor: ${stderr.trim() || String(error)}`));
    });
  });

/** One examination at a time: who asks meanwhile gets the same findings. */
export const examinationOf = (root: string): (() => Promise<unknown>) => {
  let running: Promise<unknown> | undefined;
  return () =>
    (running ??= examine(root).finally(() => {
      running = undefined;
    }));
};
