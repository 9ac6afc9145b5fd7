/** The package as npm would install it: what `npm pack` takes, with its dependencies and none of the repository's own. */
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { cmsBy, repository, run } from "./cms.ts";
import { preparedOnce } from "./run-folder.ts";

const TARBALL = "package.tgz";

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

/** What `npm pack` takes: the same each time, so that it is asked once. */
const tarball = preparedOnce("packed", async (folder) => {
  const [{ filename }] = packed.parse(
    JSON.parse(await mustRun("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], repository)),
  );
  await rename(path.join(folder, filename), path.join(folder, TARBALL));
});

/** Unpacks the package into `place`. */
const unpack = async (place: string): Promise<void> => {
  await mkdir(place, { recursive: true });
  await mustRun("tar", ["-xzf", path.join(await tarball(), TARBALL), "-C", place, "--strip-components=1"], place);
  await chmod(path.join(place, "dist/generator/cli.js"), 0o755);
};

const link = async (target: string, place: string): Promise<void> => {
  await mkdir(path.dirname(place), { recursive: true });
  await symlink(target, place);
};

/**
 * Does in `folder` what `npm install galley-cms` would do, without a registry: unpacks the tarball and links the
 * dependencies that the lock file names.
 */
export const installPacked = async (folder: string): Promise<void> => {
  await unpack(path.join(folder, "node_modules", "galley-cms"));
  for (const place of await productionPackages()) await link(path.join(repository, place), path.join(folder, place));
  await link("../galley-cms/dist/generator/cli.js", path.join(folder, "node_modules", ".bin", "cms"));
  await writeFile(path.join(folder, "package.json"), '{ "dependencies": { "galley-cms": "*" } }\n');
};

/** The words of a command that leaves nothing to a shell. */
const WORDS = /^(?:npx )?cms (?!start\b|dev\b)([\w./:,=@-]+(?: [\w./:,=@-]+)*)$/;

/**
 * Runs a command of a documentation in the project in `root`, which has the package installed; returns what it prints.
 * A command of `cms` alone takes no shell and no process of its own.
 */
export const documentedCommand = async (
  command: string,
  root: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const args = WORDS.exec(command)?.[1]?.split(" ");
  const { code, stdout, stderr } = args
    ? await cmsBy(path.join(root, "node_modules/galley-cms/dist/generator/cli.js"), root, args, env)
    : await run("bash", ["-euc", command], { cwd: root, env });
  if (code !== 0) throw new Error(`${command}\nended with ${code}:\n${stdout}${stderr}`);
  return stdout;
};

const manifest = z.object({ version: z.string(), dependencies: z.record(z.string(), z.string()) });

const readManifest = async (folder: string): Promise<z.output<typeof manifest>> =>
  manifest.parse(JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")));

/** `.pnpm/galley-cms@<version>/node_modules`: the package, and beside it links to what it depends on. */
const store = async (folder: string): Promise<string> => {
  const { version, dependencies } = await readManifest(repository);
  const beside = path.join(folder, "node_modules", ".pnpm", `galley-cms@${version}`, "node_modules");
  await unpack(path.join(beside, "galley-cms"));
  for (const name of Object.keys(dependencies)) {
    await link(path.join(repository, "node_modules", name), path.join(beside, name));
  }
  return path.join(beside, "galley-cms");
};

/** The folder of one package, which is the same for the project and for galley-cms where the version is. */
const storedPackage = async (folder: string, name: string, wanted: string): Promise<string> => {
  const source = name === "galley-cms" ? repository : path.join(repository, "node_modules", name);
  const { version }: { version: string } = JSON.parse(await readFile(path.join(source, "package.json"), "utf8"));
  if (wanted !== version) throw new Error(`the project asks for ${name} ${wanted}, and there is only ${version}`);
  return name === "galley-cms" ? await store(folder) : source;
};

/**
 * Does in `folder` what `pnpm install` would do, without a registry: a strict node_modules, in which a project finds
 * what its package.json declares and nothing else.
 */
export const installStrictly = async (folder: string): Promise<void> => {
  const project = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")));
  for (const [name, version] of Object.entries(project.dependencies)) {
    const place = path.join(folder, "node_modules", name);
    if (!existsSync(place)) await link(await storedPackage(folder, name, version), place);
  }
  const program = path.join(folder, "node_modules", ".bin", "cms");
  if (!existsSync(program)) await link("../galley-cms/dist/generator/cli.js", program);
  await writeFile(path.join(folder, "pnpm-lock.yaml"), "lockfileVersion: '9.0'\n");
};

/** A copy of the example: its schemas, seed, configuration and generated code. */
export const copyExample = async (folder: string): Promise<void> => {
  for (const part of ["content-types", "generated", "cms.config.ts"]) {
    await cp(path.join(repository, part), path.join(folder, part), { recursive: true });
  }
};
