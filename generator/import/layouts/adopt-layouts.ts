/** Writes the labels and layouts of Strapi's content manager into the project's schema files. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { isRecord } from "../../../runtime/base/is-record.ts";
import { loadSchemas } from "../../schema/load.ts";
import type { SchemaFile } from "../../schema/schema-file.ts";
import { setInJson } from "../../schema/set-in-json.ts";
import type { ConfigurationRecord } from "../content/records.ts";
import type { Report } from "../content/report.ts";
import { type Options, panelOptions } from "./panel-options.ts";

const KEY = /^plugin_content_manager_configuration_(?:content_types|components)::(.+)$/;

/** The settings of the content manager, by the uid of the type or component. */
const storedLayouts = (configuration: readonly ConfigurationRecord[]): ReadonlyMap<string, unknown> =>
  new Map(
    configuration.flatMap(({ value: { key, value } }) => {
      const [, uid] = KEY.exec(String(key)) ?? [];
      return uid === undefined || uid.startsWith("plugin::") ? [] : [[uid, value] as const];
    }),
  );

const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);

/** Adds what the file does not say itself. */
const completed = (text: string, schema: object, options: Options, ...keys: readonly string[]): string => {
  const said = at(schema, ...keys);
  return Object.entries(options)
    .filter(([name]) => !(isRecord(said) && Object.hasOwn(said, name)))
    .reduce((before, [name, value]) => setInJson(before, [...keys, name], value), text);
};

/** The text of a schema file with a layout. */
const laidOut = (text: string, { kind, schema }: SchemaFile, stored: unknown): string => {
  const panel = panelOptions(stored, schema.attributes, kind === "contentType");
  if (!panel) return text;
  return [...panel.attributes].reduce(
    (before, [name, options]) => completed(before, schema, options, "attributes", name, "pluginOptions", "panel"),
    completed(text, schema, panel.options, "options", "panel"),
  );
};

export interface LayoutSource {
  readonly root: string;
  /** The folder of the schema files. */
  readonly from: string;
  readonly configuration: readonly ConfigurationRecord[];
  readonly report: Report;
  readonly isDry: boolean;
}

/** Overwrites nothing that a schema file says, and writes no file outside the project. */
export const adoptLayouts = ({ root, from, configuration, report, isDry }: LayoutSource): void => {
  const stored = storedLayouts(configuration);
  if (stored.size === 0) return;
  const { files, texts } = loadSchemas({ root, from });
  for (const each of files) {
    const { file = "..", uid } = each;
    const text = texts.get(file);
    if (text === undefined || file.startsWith("..") || !stored.has(uid)) continue;
    const next = laidOut(text, each, stored.get(uid));
    if (next === text) continue;
    if (!isDry) writeFileSync(path.join(root, file), next);
    const reason = isDry
      ? "come into the schema files"
      : "are in the schema files now: look at the difference, and run cms generate";
    report.add({ weight: "kept", type: "labels and layouts of the panel", reason, value: file });
  }
};
