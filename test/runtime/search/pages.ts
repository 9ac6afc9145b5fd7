/** Pages and notes with full-text search, in an application of their own. */
import { getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Attribute } from "../../../runtime/schema/content-type.ts";
import { applicationOf } from "../../support/render-project.ts";
import { folderOfRun } from "../../support/run-folder.ts";
import { writeFiles } from "../../support/workspace.ts";

const i18n = { pluginOptions: { i18n: { localized: true } } };
const files: readonly [string, string][] = [
  [
    "content-types/page/schema.json",
    JSON.stringify({
      info: { singularName: "page", pluralName: "pages", displayName: "page" },
      options: { draftAndPublish: true, search: { weights: { title: "A" } } },
      ...i18n,
      attributes: {
        title: { type: "string", ...i18n },
        text: { type: "text", ...i18n },
        secret: { type: "text", private: true, ...i18n },
        kind: { type: "enumeration", enum: ["guide", "news"], ...i18n },
        grade: { type: "enumeration", enum: ["low", "high"], private: true, ...i18n },
        notes: { type: "relation", relation: "manyToMany", target: "api::note.note" },
        quiet: { type: "text", search: false, ...i18n },
        body: { type: "blocks", ...i18n },
        sections: { type: "dynamiczone", components: ["shared.part"], ...i18n },
      },
    }),
  ],
  [
    "content-types/note/schema.json",
    JSON.stringify({
      info: { singularName: "note", pluralName: "notes", displayName: "note" },
      options: { search: { language: "de" } },
      attributes: { title: { type: "string" }, text: { type: "text" } },
    }),
  ],
  [
    "content-types/components/shared/part.json",
    JSON.stringify({
      info: { displayName: "part" },
      attributes: { shown: { type: "text" }, hushed: { type: "text", private: true } },
    }),
  ],
];

const folder = await folderOfRun("words");
writeFiles(folder, files);
export const application = await applicationOf(folder);
/** The tables of the types, and those of their links. */
export const tablesOf = (): Readonly<Record<string, PgTable>> =>
  Object.fromEntries(
    Object.values(application.contentTypes).flatMap(({ type }) => [
      [type.uid, type.table] as const,
      ...Object.values<Attribute>({ ...type.attributes }).flatMap((attribute) =>
        "link" in attribute ? [[getTableName(attribute.link), attribute.link] as const] : [],
      ),
    ]),
  );
