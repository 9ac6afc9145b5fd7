/** Reads a Strapi database as if it were an export: one entry after another, in the order of an archive. */
import { isRecord } from "../../../runtime/base/is-record.ts";
import type { ArchiveEntry } from "../content/archive-entries.ts";
import { allLinks } from "./links.ts";
import { pagesOf, Rows } from "./rows.ts";
import { type ComponentFile, readTypes, SETTINGS, type SourceTypes } from "./source-types.ts";
import { jsonOf, type SourceTables } from "./tables.ts";

type Lines = AsyncIterable<object> | Iterable<object>;

/** How many characters to pass on at once. */
const CHUNK = 65_536;

async function* bytesOf(lines: Lines): AsyncIterable<Uint8Array> {
  let text = "";
  for await (const line of lines) {
    text += `${JSON.stringify(line)}\n`;
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}

const entry = (name: string, lines: Lines): ArchiveEntry => ({ name, size: 0, body: bytesOf(lines) });

const schemaLines = ({ types, components }: SourceTypes): readonly object[] =>
  [...types, ...components.values()].map(({ uid, isComponent, options, attributes }) => ({
    uid,
    modelType: isComponent ? "component" : "contentType",
    options: isRecord(options) ? { draftAndPublish: options["draftAndPublish"] === true } : null,
    attributes: Object.fromEntries(attributes),
  }));

async function* entityLines(tables: SourceTables, source: SourceTypes): AsyncIterable<object> {
  const reader = new Rows(tables, source);
  for (const type of source.types) {
    for await (const rows of pagesOf(tables, type.table)) {
      for (const { id, data } of await reader.entitiesOf(type, rows)) yield { type: type.uid, id, data };
    }
  }
}

async function* configurationLines(tables: SourceTables): AsyncIterable<object> {
  for await (const rows of pagesOf(tables, SETTINGS)) {
    for (const row of rows) yield { type: "core-store", value: { ...row, value: jsonOf(row["value"]) } };
  }
  if (tables.columns("strapi_webhooks") === undefined) return;
  for await (const rows of pagesOf(tables, "strapi_webhooks"))
    for (const value of rows) yield { type: "webhook", value };
}

/**
 * The entries of the export that Strapi would write from its database.
 *
 * @param components the project's components, which the database does not describe
 * @throws SetupError if it is not a Strapi 4 or 5 database
 */
export async function* databaseEntries(
  tables: SourceTables,
  components: readonly ComponentFile[],
): AsyncIterable<ArchiveEntry> {
  const source = await readTypes(tables, components);
  yield entry("schemas/schemas_00001.jsonl", schemaLines(source));
  yield entry("entities/entities_00001.jsonl", entityLines(tables, source));
  yield entry("links/links_00001.jsonl", allLinks(tables, source));
  yield entry("configuration/configuration_00001.jsonl", configurationLines(tables));
  yield entry("metadata.json", [{ strapi: { version: String(source.major) } }]);
}
