/** Where the socket is by which commands reach the process that has the embedded database open. */
import { existsSync } from "node:fs";
import { mkdtemp, readlink, rm, rmdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Bytes that the path of a socket may have on every system; Linux takes 107, others less. */
const LONGEST = 100;

const placeIn = (root: string): string => path.join(path.resolve(root), ".cms", "server.sock");

/** What the place says where the socket itself had to be elsewhere. */
const elsewhere = (place: string): Promise<string | undefined> => readlink(place).catch(() => undefined);

/** Takes away what a process has left behind, or this one leaves. */
export const removeAddress = async (root: string): Promise<void> => {
  const place = placeIn(root);
  const target = await elsewhere(place);
  if (target !== undefined) {
    await rm(target, { force: true });
    await rmdir(path.dirname(target)).catch(() => {});
  }
  await rm(place, { force: true });
};

/**
 * The address to listen at for the project in `root`. Only who holds the lock of the database may ask for it: whatever
 * stands there is of a process that was killed. Undefined where no path is short enough.
 */
export const makeAddress = async (root: string): Promise<string | undefined> => {
  await removeAddress(root);
  const place = placeIn(root);
  if (Buffer.byteLength(place) <= LONGEST) return place;
  const folder = await mkdtemp(path.join(tmpdir(), "galley-"));
  const target = path.join(folder, "server.sock");
  if (Buffer.byteLength(target) <= LONGEST) {
    await symlink(target, place);
    return target;
  }
  await rmdir(folder);
  return undefined;
};

/** The address to connect to; undefined where nobody has listened. */
export const findAddress = async (root: string): Promise<string | undefined> => {
  const place = placeIn(root);
  return (await elsewhere(place)) ?? (existsSync(place) ? place : undefined);
};
