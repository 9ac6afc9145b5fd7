/** Checks the Node version before importing anything that an older one does not support. */
import { readFileSync } from "node:fs";

const numbersOf = (version: string): readonly number[] => version.split(".").map(Number);

const isOlder = (version: string, needed: string): boolean => {
  const [own, least] = [numbersOf(version), numbersOf(needed)];
  for (let index = 0; index < least.length; index += 1) {
    const difference = (own[index] || 0) - (least[index] || 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
};

/** The oldest Node version that the package in the folder at `address` supports, from its package.json. */
export const neededNode = (address: URL): string => {
  const text = readFileSync(new URL("package.json", address), "utf8");
  const found = /"node": ">=([\d.]+)"/.exec(text);
  return found === null ? "0" : String(found[1]);
};

/** Ends the process if its Node is older than `needed`. */
export const refuseOldNode = (needed: string): void => {
  const { node } = process.versions;
  if (!isOlder(node, needed)) return;
  process.stderr.write(`error cms needs Node ${needed} or newer, and this is Node ${node}: https://nodejs.org\n`);
  process.exit(2);
};
