/** The project that `cms init` begins, prepared once per process and copied for each test: commands are slow. */
import { cp, writeFile } from "node:fs/promises";
import path from "node:path";
import { atEndOfTest, cmsOutput, emptyFolder } from "./cms.ts";
import { freshPostgresUrl } from "./database.ts";
import { folderOfRun } from "./run-folder.ts";

const copy = async (source: string, folder: string): Promise<string> => {
  await cp(source, folder, { recursive: true });
  return folder;
};

let generated: Promise<string> | undefined;
let migrated: Promise<string> | undefined;

const generate = async (): Promise<string> => {
  const folder = await folderOfRun("project");
  await cmsOutput(folder, ["init"]);
  await cmsOutput(folder, ["generate"]);
  return folder;
};

const migrate = async (): Promise<string> => {
  const folder = await copy(await (generated ??= generate()), await folderOfRun("project"));
  await cmsOutput(folder, ["migrate"]);
  return folder;
};

/** A project with one type, generated but not migrated; removed at the end of the test. */
export const generatedProject = async (): Promise<string> =>
  copy(await (generated ??= generate()), await emptyFolder());

/** A project with one type and a database that has its tables; removed at the end of the test. */
export const migratedProject = async (): Promise<string> => copy(await (migrated ??= migrate()), await emptyFolder());

/** Gives the project in `root` an empty database on a server until the end of the test: commands are faster there. */
export const useServer = async (root: string): Promise<void> =>
  writeFile(path.join(root, ".env"), `DATABASE_URL=${await freshPostgresUrl(atEndOfTest)}\n`);

/** The same as {@link migratedProject} with its database on a server. */
export const projectOnServer = async (): Promise<string> => {
  const folder = await generatedProject();
  await useServer(folder);
  await cmsOutput(folder, ["migrate"]);
  return folder;
};
