/** Writes `docs/api/` anew: `npm run docs:api`. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { renderPages } from "./render.ts";
import { readEntries } from "./symbols.ts";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "docs/api");

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, text] of renderPages(readEntries(root))) await writeFile(path.join(folder, name), text);
