/** Builds `dist/panel`, unless it exists and none of its sources has changed since. */
import { createHash } from "node:crypto";
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "vite";

const SOURCES = ["panel", "runtime/client"];

const digestOf = async (root) => {
  const files = await Promise.all(
    SOURCES.map(async (folder) =>
      (await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name)),
    ),
  );
  const digest = createHash("sha256");
  for (const file of [...files.flat().sort(), path.join(root, "package-lock.json")]) {
    digest.update(`${path.relative(root, file)}\n`);
    digest.update(await readFile(file));
  }
  return digest.digest("hex");
};

/** Builds the panel of the package in `root` into the folder `dist`. */
export const buildPanel = async (root, dist) => {
  await copyFile(path.join(root, "panel/src/extensions/types.d.ts"), path.join(dist, "panel.d.ts"));
  const stamp = path.join(dist, "panel.digest");
  const digest = await digestOf(root);
  if ((await readFile(stamp, "utf8").catch(() => "")) === digest) return;
  await build({ configFile: path.join(root, "panel/vite.config.ts"), logLevel: "warn" });
  await writeFile(stamp, digest);
};
