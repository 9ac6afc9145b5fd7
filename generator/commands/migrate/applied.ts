/** Which migrations some database has: those of the reachable one, and those ever applied from here to any. */
import { existsSync } from "node:fs";
import path from "node:path";
import { loadConfig } from "../../../runtime/app/loader/load-config.ts";
import { messageOf } from "../../../runtime/base/thrown.ts";
import type { Session } from "../../../runtime/database/database.ts";
import { openOrConnect } from "../../../runtime/database/ipc/client.ts";
import { readApplied } from "../../../runtime/database/migrations/record.ts";
import { packageVersion } from "../package-version.ts";
import { readNote } from "./noted.ts";

export type Names = ReadonlySet<string>;

/** Whether there is a database to ask: the embedded one is created by the first command that uses it. */
const isThere = (root: string, url: string | undefined): boolean =>
  url !== undefined || existsSync(path.join(root, ".cms", "data"));

export const namesIn = async (session: Session): Promise<readonly string[]> =>
  (await readApplied(session)).map(({ name }) => name);

export interface Answer {
  readonly names: Names;
  /** Why the database could not be asked. */
  readonly unknown?: string;
}

/** The result of `work` in the project's database; undefined if there is none. Throws if it cannot be reached. */
export const inReach = async <Result>(
  root: string,
  work: (database: Session) => Promise<Result>,
): Promise<Result | undefined> => {
  const config = await loadConfig(root);
  if (!isThere(root, config.database.url)) return undefined;
  const database = await openOrConnect(config, root, { command: "cms generate", version: packageVersion() });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

/** Asks the project's database, if there is one, and this machine's record. */
export const askApplied = async (root: string): Promise<Answer> => {
  const noted = readNote(root);
  try {
    return { names: new Set([...noted, ...((await inReach(root, namesIn)) ?? [])]) };
  } catch (error) {
    return { names: new Set(noted), unknown: messageOf(error) };
  }
};
