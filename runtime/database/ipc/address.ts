/** Finds the socket through which commands reach the process that has the embedded database open. */
import { existsSync } from "node:fs";
import { mkdtemp, readlink, rm, rmdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Longest socket path, in bytes, that every system accepts; Linux allows 107, others less. */
const LONGEST = 100;

const socketIn = (root: string): string => path.join(path.resolve(root), ".cms", "server.sock");

/** The address that the link at this path points to, if the socket had to be created in another folder. */
const targetOf = (link: string): Promise<string | undefined> => readlink(link).catch(() => undefined);

/** Removes the socket of a process that has ended, or of this one. */
export const removeAddress = async (root: string): Promise<void> => {
  const link = socketIn(root);
  const target = await targetOf(link);
  if (target !== undefined) {
    await rm(target, { force: true });
    await rmdir(path.dirname(target)).catch(() => {});
  }
  await rm(link, { force: true });
};

/**
 * Creates the address to listen at for the project in `root`. Call it only while holding the database's lock: a socket
 * found here then belongs to a process that was killed, and is removed. Undefined if no path is short enough.
 */
export const makeAddress = async (root: string): Promise<string | undefined> => {
  await removeAddress(root);
  const link = socketIn(root);
  if (Buffer.byteLength(link) <= LONGEST) return link;
  const folder = await mkdtemp(path.join(tmpdir(), "galley-"));
  const target = path.join(folder, "server.sock");
  if (Buffer.byteLength(target) <= LONGEST) {
    await symlink(target, link);
    return target;
  }
  await rmdir(folder);
  return undefined;
};

/** The address to connect to; undefined if no process has listened. */
export const findAddress = async (root: string): Promise<string | undefined> => {
  const link = socketIn(root);
  return (await targetOf(link)) ?? (existsSync(link) ? link : undefined);
};
