/** The steps of `cms build`, in order. */
import { existsSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { codeFolder } from "../../runtime/app/loader/installation.ts";
import { loadApplication, panelExtensions } from "../../runtime/app/loader/load-application.ts";
import { configFile, loadConfig } from "../../runtime/app/loader/load-config.ts";
import { panelFolder } from "../../runtime/app/panel/mount.ts";
import { migrationsFolder } from "../../runtime/app/project.ts";
import { isRecord } from "../../runtime/base/is-record.ts";
import { packageFolder } from "../../runtime/base/package-folder.ts";
import type { Config } from "../../runtime/config/config.ts";
import { snapshotFile } from "../../runtime/database/embedded/snapshot.ts";
import { sandboxFile } from "../../runtime/graphql/endpoint/sandbox.ts";
import { CommandError } from "../commands/exit-codes.ts";
import { packageVersion } from "../commands/package-version.ts";
import { neededNode } from "../node-version.ts";
import { bundleProgram } from "./bundle.ts";
import { clearFolder, sizeOf, writeFolder } from "./folder.ts";
import { copyPackages } from "./packages.ts";

export interface BuildRequest {
  /** The project's folder. */
  readonly root: string;
  readonly folder: string;
  /** Whether to include the embedded database. */
  readonly embedded: boolean;
  /** Packages to copy instead of bundling. */
  readonly copied: readonly string[];
}

export type Built = Awaited<ReturnType<typeof buildProject>>;

const EMBEDDED = "@electric-sql/pglite";

/** A module of the generator, as source or compiled. */
const moduleOf = (name: string): string =>
  path.join(codeFolder(), "generator", `${name}${path.extname(import.meta.url)}`);

const programModule = moduleOf("production/run");

/** Checks the Node version before anything else is loaded. */
const versionModule = moduleOf("node-version");

const importOf = (file: string): string => `import(${JSON.stringify(file)})`;

/** Where a part of the folder is, as the program finds it. */
const placeOf = (name: string) =>
  `(await import("node:url")).fileURLToPath(new URL(${JSON.stringify(name)}, import.meta.url))`;

/** The folder's program. It imports its parts only after the environment is set up. */
const entryOf = (root: string, { generate }: Config, panel: string | undefined): string => {
  const config = configFile(root);
  return `const { refuseOldNode } = await ${importOf(versionModule)};
refuseOldNode(${JSON.stringify(neededNode(new URL("./", import.meta.resolve("galley-cms/package.json"))))});
process.env.NODE_ENV ??= "production";
const { run } = await ${importOf(programModule)};
await run({
  version: ${JSON.stringify(packageVersion())},
  config: async () => ${config === undefined ? "({})" : `(await ${importOf(path.join(root, config))}).default`},
  application: async () => ({
    ...(await ${importOf(path.join(root, generate.to, "index.ts"))}).default,
    panelExtensions: ${panel ? placeOf(panel) : undefined},
  }),
  migrations: ${placeOf("migrations")},
});
`;
};

/** Whether browsers may use the GraphQL sandbox in production; a function is evaluated when the server starts. */
const needsSandbox = ({ graphql: { playgroundAlways, landingPage = false } }: Config): boolean =>
  playgroundAlways || landingPage !== false;

/** Files that our package reads from its own folder, at the paths where it looks for them. */
const copyBuiltFiles = async (folder: string, files: readonly string[]): Promise<void> => {
  const present = files.filter((file) => existsSync(file));
  if (present.length === 0) return;
  const place = path.join(folder, "node_modules", "galley-cms");
  for (const file of present)
    await cp(file, path.join(place, path.relative(packageFolder(), file)), { recursive: true });
  await writeFile(
    path.join(place, "package.json"),
    `${JSON.stringify({ name: "galley-cms", version: packageVersion() })}\n`,
  );
};

/** The project's name, for the folder's package.json. */
const nameOf = async (root: string): Promise<string> => {
  const file = path.join(root, "package.json");
  const manifest: unknown = existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : {};
  return isRecord(manifest) && typeof manifest["name"] === "string" ? manifest["name"] : path.basename(root);
};

/** Finds what would prevent the start: project code may produce an invalid GraphQL schema. */
const checkGraphql = async (root: string, config: Config): Promise<void> => {
  if (!config.graphql.artifacts) return;
  const application = await loadApplication(root, config);
  if (!application.app?.register) return;
  const { createGraphqlSchema, declarationsOf } = await import("../../runtime/graphql/create-schema.ts");
  createGraphqlSchema(declarationsOf(application), config, false);
};

/**
 * Writes the folder.
 *
 * @throws CommandError, SetupError if the project is not ready, or the folder contains something else
 */
export const buildProject = async ({ root, folder, ...request }: BuildRequest) => {
  const config = await loadConfig(root);
  const index = path.join(root, config.generate.to, "index.ts");
  if (!existsSync(index)) throw new CommandError(`${index} is missing: run \`cms generate\` first`);
  const embedded = request.embedded || config.database.embedded;
  const script = await panelExtensions(root, config.panel);
  const panel = script && `chunks/${path.basename(script)}`;
  const { files, bundled, imported } = await bundleProgram({
    root,
    entry: entryOf(root, config, panel),
    folder,
    copied: [EMBEDDED, ...request.copied],
    omitted: embedded ? [] : [EMBEDDED],
  });
  await checkGraphql(root, config);
  await clearFolder(folder);
  await writeFolder(folder, { name: await nameOf(root), files, bundled, migrations: migrationsFolder(root, config) });
  if (script && panel) await cp(script, path.join(folder, panel));
  const copied = await copyPackages(imported, folder);
  await copyBuiltFiles(folder, [
    ...(embedded ? [snapshotFile()] : []),
    ...(needsSandbox(config) ? [sandboxFile()] : []),
    ...(config.panel ? [panelFolder()] : []),
  ]);
  // In bytes.
  const size = { total: await sizeOf(folder), copied: await sizeOf(path.join(folder, "node_modules")) };
  return { bundled, copied, size, embedded };
};
