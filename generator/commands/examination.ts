/** Runs `cms doctor` for a server, in another process: the server loads none of its code, and waits for none of it. */
import { execFile } from "node:child_process";
import { parseJson } from "../base/json.ts";
import { exitCodes } from "./exit-codes.ts";

/** Milliseconds that an examination may take. */
const PATIENCE = 120_000;

/** The report at the end of what the command has printed: the code of the project may have printed before. */
const reportIn = (output: string): unknown => parseJson(output.slice(output.lastIndexOf("\n{\n") + 1));

/** The findings of `cms doctor` in the project's folder. */
const examine = (root: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const args = [process.argv[1] ?? "", "--root", root, "doctor", "--json"];
    execFile(process.execPath, args, { maxBuffer: Infinity, timeout: PATIENCE }, (error, stdout, stderr) => {
      const isComplete = error === null || error.code === exitCodes.drift;
      const report = isComplete ? reportIn(stdout) : undefined;
      if (report === undefined) reject(new Error(`cms doctor: ${stderr.trim() || String(error ?? stdout)}`));
      else resolve(report);
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
