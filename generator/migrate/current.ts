/**
 * Remembers locally (`.cms/cache`) what the newest migration was made from, so that a run that changes nothing neither
 * bundles nor compares.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { installation } from "../../runtime/app/loader/installation.ts";
import { writePrivateFile } from "../../runtime/base/private-folder.ts";
import { digestOf } from "../rendered/digest.ts";

const cacheFile = (root: string): string => path.join(root, ".cms", "cache", "migrations");

/** Changes with anything that a migration is planned from: what is given here, and what is installed. */
export const migrationDigest = (parts: readonly string[]): string => digestOf([installation(), ...parts]);

/** The digest of the last comparison that found no difference; undefined when none is remembered. */
export const remembered = (root: string): string | undefined => {
  try {
    return readFileSync(cacheFile(root), "utf8");
  } catch {
    return undefined;
  }
};

export const isRemembered = (root: string, digest: string): boolean => remembered(root) === digest;

export const remember = (root: string, digest: string): void => writePrivateFile(cacheFile(root), digest);
