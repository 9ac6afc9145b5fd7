/** Writes the locales of imported content to `cms.config.ts`, if that has none. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Locales } from "./content/states.ts";

const BEGIN = /defineConfig\((?:\(\w*\) => \()?\{\n/;

/** Undefined if the file already has locales, or does not start as `cms` writes it. */
export const localesWriter = (root: string): ((locales: Locales) => Promise<void>) | undefined => {
  const file = path.join(root, "cms.config.ts");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (!BEGIN.test(text) || /\blocales\b/.test(text)) return undefined;
  return async (locales) => {
    const codes = locales.codes.map((code) => JSON.stringify(code)).join(", ");
    const line = `  locales: { default: ${JSON.stringify(locales.default)}, codes: [${codes}] }, // the imported content\n`;
    writeFileSync(
      file,
      text.replace(BEGIN, (begin) => `${begin}${line}`),
    );
    process.stdout.write(`cms.config.ts names the locales of the content now: ${locales.codes.join(", ")}\n`);
  };
};
