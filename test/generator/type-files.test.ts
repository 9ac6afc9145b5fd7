/** Every option of generated descriptors makes a difference: without it, or with another value, something is answered otherwise. */
import type { PgTable } from "drizzle-orm/pg-core";
import { expect, onTestFinished, test } from "vitest";
import type { Application } from "../../runtime/app/application.ts";
import type { Attribute } from "../../runtime/schema/content-type.ts";
import { createTables } from "../support/create-tables.ts";
import { freshDatabase } from "../support/database.ts";
import { applicationIn } from "./type-files/application.ts";
import { behave, type Visit } from "./type-files/behaviour.ts";
import { variants } from "./type-files/variants.ts";

const projects = ["scalars", "media", "drafts-and-locales", "components", "relations", "morph-relations"];

/** Tables of the descriptors, by any name. */
const tablesOf = ({ contentTypes }: Application): Readonly<Record<string, PgTable>> =>
  Object.fromEntries<PgTable>(
    Object.entries(contentTypes).flatMap(([uid, { type }]) => [
      [uid, type.table] as const,
      ...Object.entries<Attribute>(type.attributes).flatMap(([name, attribute]) =>
        "link" in attribute ? [[`${uid}.${name}`, attribute.link] as const] : [],
      ),
    ]),
  );

/** Whether an application behaves as the usual one did; the rest is not looked at once something differs. */
const isAsUsual = async (usual: readonly string[], run: (visit: Visit) => Promise<void>): Promise<boolean> => {
  let index = 0;
  const isAlike = (observation: string): boolean => observation === usual[index++];
  let alike = true;
  try {
    await run((observation) => (alike &&= isAlike(observation)));
  } catch {
    return false;
  }
  return alike && index === usual.length;
};

test.each(projects)("every option of the descriptors in %s makes a difference", async (project) => {
  const application = await applicationIn(project);
  const database = await freshDatabase("postgres", onTestFinished);
  await createTables(database, tablesOf(application));
  const usual: string[] = [];
  await behave(application, application, database, (observation) => usual.push(observation) > 0);
  expect(await isAsUsual(usual, (visit) => behave(application, application, database, visit))).toBe(true);
  const idle: string[] = [];
  for (const { option, changed } of variants(application)) {
    if (await isAsUsual(usual, (visit) => behave(application, changed, database, visit))) idle.push(option);
  }
  expect(idle).toEqual([]);
});
