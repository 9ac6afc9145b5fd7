/** The package as npm would install it: what `npm pack` takes, with its dependencies and none of the repository's own. */
import { chmod, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { repository, run } from "./cms.ts";

const packed = z.tuple([z.object({ filename: z.string() })]);
const lock = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })),
});

const mustRun = async (file: string, args: readonly string[], cwd: string): Promise<string> => {
  const { code, stdout, stderr } = await run(file, args, { cwd });
  if (code !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
};

/** Packages that a user gets, by their folder below node_modules. */
const productionPackages = async (): Promise<readonly string[]> => {
  const { packages } = lock.parse(JSON.parse(await readFile(path.join(repository, "package-lock.json"), "utf8")));
  return Object.entries(packages)
    .filter(([place, { dev }]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(place) && dev !== true)
    .map(([place]) => place);
};

/**
 * Does in `folder` what `npm install galley-cms` would do, without a registry: unpacks the tarball and links the
 * dependencies that the lock file names.
 */
export const installPacked = async (folder: string): Promise<void> => {
  const installed = path.join(folder, "node_modules", "galley-cms");
  await mkdir(installed, { recursive: true });
  const [{ filename }] = packed.parse(
    JSON.parse(await mustRun("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], repository)),
  );
  await mustRun("tar", ["-xzf", path.join(folder, filename), "-C", installed, "--strip-components=1"], folder);
  for (const place of await productionPackages()) {
    const link = path.join(folder, place);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(repository, place), link, "dir");
  }
  await mkdir(path.join(folder, "node_modules", ".bin"));
  await chmod(path.join(installed, "dist/generator/cli.js"), 0o755);
  await symlink("../galley-cms/dist/generator/cli.js", path.join(folder, "node_modules", ".bin", "cms"));
  await writeFile(path.join(folder, "package.json"), '{ "dependencies": { "galley-cms": "*" } }\n');
};

/** A copy of the example: its schemas, seed, configuration and generated code. */
export const copyExample = async (folder: string): Promise<void> => {
  for (const part of ["content-types", "generated", "cms.config.ts"]) {
    await cp(path.join(repository, part), path.join(folder, part), { recursive: true });
  }
};
