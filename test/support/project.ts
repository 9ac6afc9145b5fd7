/** The project that `cms init` begins, prepared once per test file and copied for each test: commands are slow. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { atEndOfTest, cmsOutput, emptyFolder } from "./cms.ts";
import { freshPostgresUrl } from "./database.ts";

const folders: string[] = [];
afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

const original = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), "galley-project-"));
  folders.push(folder);
  return folder;
};

const copy = async (source: string, folder: string): Promise<string> => {
  await cp(source, folder, { recursive: true });
  return folder;
};

let generated: Promise<string> | undefined;
let migrated: Promise<string> | undefined;

const generate = async (): Promise<string> => {
  const folder = await original();
  await cmsOutput(folder, ["init"]);
  await cmsOutput(folder, ["generate"]);
  return folder;
};

const migrate = async (): Promise<string> => {
  const folder = await copy(await (generated ??= generate()), await original());
  await cmsOutput(folder, ["migrate"]);
  return folder;
};

/** A project with one type, generated but not migrated; removed at the end of the test. */
export const generatedProject = async (): Promise<string> =>
  copy(await (generated ??= generate()), await emptyFolder());

/** A project with one type and a database that has its tables; removed at the end of the test. */
export const migratedProject = async (): Promise<string> => copy(await (migrated ??= migrate()), await emptyFolder());

/** The same with its database on a server: commands are four times faster there. */
export const projectOnServer = async (): Promise<string> => {
  const folder = await generatedProject();
  await writeFile(path.join(folder, ".env"), `DATABASE_URL=${await freshPostgresUrl(atEndOfTest)}\n`);
  await cmsOutput(folder, ["migrate"]);
  return folder;
};
