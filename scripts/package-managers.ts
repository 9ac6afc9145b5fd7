/**
 * Installs the packed package with each package manager in an empty folder, and initializes, generates and checks a
 * project there: `npm run package-managers -- [NAME...]`. Fails if one refuses to install it or asks for another Node
 * version.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const repository = fileURLToPath(new URL("..", import.meta.url));
const folder = path.join(repository, ".cms", "package-managers");

interface Manager {
  readonly name: string;
  /** The package that contains the program, with its version. */
  readonly package: string;
  /** The program, relative to the package's folder. */
  readonly program: string;
  readonly install: readonly string[];
  /** The manager's configuration besides package.json. */
  readonly files: Readonly<Record<string, string>>;
}

const managers: readonly Manager[] = [
  { name: "npm", package: "npm@11.19.1", program: "npm/bin/npm-cli.js", install: ["install"], files: {} },
  {
    name: "pnpm",
    package: "pnpm@10.34.8",
    program: "pnpm/bin/pnpm.cjs",
    install: ["install", "--ignore-scripts"],
    files: { "pnpm-workspace.yaml": "packages: []\n" },
  },
  {
    name: "yarn 1",
    package: "yarn@1.22.22",
    program: "yarn/bin/yarn.js",
    install: ["install", "--non-interactive"],
    files: {},
  },
  {
    name: "yarn 4",
    package: "@yarnpkg/cli-dist@4.18.1",
    program: "@yarnpkg/cli-dist/bin/yarn.js",
    install: ["install"],
    // The lock file marks the folder as a separate project.
    files: {
      "yarn.lock": "",
      ".yarnrc.yml": "nodeLinker: node-modules\nenableImmutableInstalls: false\nenableTelemetry: false\n",
    },
  },
  { name: "bun", package: "bun@1.4.5", program: "bun/bin/bun.exe", install: ["install"], files: {} },
];

/** Runs a program to completion. Returns its output. @throws Error with the output if it fails */
const run = async (file: string, args: readonly string[], cwd: string): Promise<string> => {
  const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  }
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${path.basename(file)} ${args.join(" ")}:\n${printed}`);
  return printed;
};

const packed = z.tuple([z.object({ filename: z.string() })]);

/** The URL of the packed package. */
const pack = async (): Promise<string> => {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const [{ filename }] = packed.parse(JSON.parse(await run("npm", args, repository)));
  return `file:${path.join(folder, filename)}`;
};

/** Messages of managers about a required Node version. */
const COMPLAINT = /EBADENGINE|engine "node" is incompatible|Unsupported engine|wanted: \{"node"/i;

const sizeOf = async (place: string): Promise<{ readonly packages: number; readonly bytes: number }> => {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((entry) => stat(path.join(entry.parentPath, entry.name))));
  const manifests = files.filter(
    ({ name, parentPath }) =>
      name === "package.json" && /[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+$/.test(parentPath),
  );
  return { packages: manifests.length, bytes: sizes.reduce((sum, { size }) => sum + size, 0) };
};

const tryManager = async (manager: Manager, tarball: string): Promise<string> => {
  const place = path.join(folder, manager.name.replace(" ", ""));
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  const manifest = { name: "site", version: "1.0.0", private: true, dependencies: { "galley-cms": tarball } };
  const files = { ...manager.files, "package.json": JSON.stringify(manifest) };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(place, name), text);
  const program = path.join(folder, "node_modules", manager.program);
  const [file, args] = program.endsWith(".exe") ? [program, []] : [process.execPath, [program]];
  const began = performance.now();
  const printed = await run(file, [...args, ...manager.install], place);
  const seconds = (performance.now() - began) / 1000;
  const complaint = printed.split("\n").find((line) => COMPLAINT.test(line));
  if (complaint !== undefined) throw new Error(complaint);
  const cms = path.join(await realCms(place), "dist/generator/cli.js");
  for (const command of [["init"], ["generate"]]) await run(process.execPath, [cms, ...command], place);
  // What init added to package.json.
  await run(file, [...args, ...manager.install], place);
  await run(process.execPath, [cms, "generate", "--check"], place);
  const { packages, bytes } = await sizeOf(path.join(place, "node_modules"));
  return `${packages} packages, ${(bytes / 1e6).toFixed(0)} MB, ${seconds.toFixed(0)} s`;
};

/** The folder of the installed package. */
const realCms = async (place: string): Promise<string> => {
  const found = path.join(place, "node_modules", "galley-cms");
  await readFile(path.join(found, "package.json"));
  return found;
};

const wanted = process.argv.slice(2);
const chosen = managers.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
await mkdir(folder, { recursive: true });
await writeFile(path.join(folder, "package.json"), '{"private":true}');
await run("npm", ["install", "--no-audit", "--no-fund", ...chosen.map((each) => each.package)], folder);
const tarball = await pack();
for (const manager of chosen) {
  try {
    console.log(`ok   ${manager.name} on Node ${process.versions.node}: ${await tryManager(manager, tarball)}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`FAIL ${manager.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
