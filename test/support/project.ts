/** The project that `cms init` begins, prepared once per run and copied for each test: commands are slow. */
import { cp, writeFile } from "node:fs/promises";
import path from "node:path";
import { atEndOfTest, cmsOutput, emptyFolder } from "./cms.ts";
import { freshPostgresUrl } from "./database.ts";
import { preparedOnce } from "./run-folder.ts";

const copy = async (source: string, folder: string): Promise<string> => {
  await cp(source, folder, { recursive: true });
  return folder;
};

const generated = preparedOnce("generated-project", async (folder) => {
  await cmsOutput(folder, ["init"]);
  await cmsOutput(folder, ["generate"]);
});

const migrated = preparedOnce("migrated-project", async (folder) => {
  await copy(await generated(), folder);
  await cmsOutput(folder, ["migrate"]);
});

/** A project with one type, generated but not migrated; removed at the end of the test. */
export const generatedProject = async (): Promise<string> => copy(await generated(), await emptyFolder());

/** A project with one type and a database that has its tables; removed at the end of the test. */
export const migratedProject = async (): Promise<string> => copy(await migrated(), await emptyFolder());

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
