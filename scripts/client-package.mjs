/**
 * Writes `dist/client-package`: a package with the runtime's half of the client, without dependencies. `cms client`
 * copies it and adds the generated half.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

const entry = (types, file) => ({ types: `./types/${types}`, ...(file && { default: file }) });

const manifest = {
  name: "cms-client",
  version: "0.0.0",
  private: true,
  type: "module",
  sideEffects: false,
  exports: {
    ".": entry("generated/client/index.d.ts", "./index.js"),
    "./client": entry("runtime/client/index.d.ts", "./client.js"),
    "./query": entry("runtime/schema/typed/index.d.ts"),
  },
};

/** The declarations in `files` and all that they import, by path below `dist`. */
const declarations = async (dist, files, found = new Map()) => {
  for (const file of files.filter((each) => !found.has(each))) {
    const text = await readFile(path.join(dist, file), "utf8");
    found.set(file, text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
    const imported = [...text.matchAll(/from "(\.[^"]*)\.ts"/g)].map(([, specifier]) =>
      path.posix.join(path.posix.dirname(file), `${specifier}.d.ts`),
    );
    await declarations(dist, imported, found);
  }
  return found;
};

/** @param dist The folder of compiled modules, each in its own file. */
export const writeClientPackage = async (dist) => {
  const folder = path.join(dist, "client-package");
  await rm(folder, { recursive: true, force: true });
  const types = await declarations(dist, [
    "runtime/client/index.d.ts",
    "runtime/schema/typed/index.d.ts",
    "runtime/schema/reference.d.ts",
  ]);
  for (const [file, text] of types) {
    const target = path.join(folder, "types", file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  await build({
    entryPoints: [path.join(dist, "runtime/client/index.js")],
    outfile: path.join(folder, "client.js"),
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    logLevel: "warning",
  });
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
};
