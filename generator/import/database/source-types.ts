/** Content types as a Strapi database describes them, and components as the project's files do. */
import { isRecord } from "../../../runtime/base/is-record.ts";
import { SetupError } from "../../../runtime/base/thrown.ts";
import { type Major, namesOf } from "./names.ts";
import type { SourceTables } from "./tables.ts";

export type SourceAttribute = Readonly<Record<string, unknown>>;

/** A content type or component of the source, with the table of its rows. */
export interface SourceType {
  readonly uid: string;
  readonly isComponent: boolean;
  readonly collectionName: string;
  readonly table: string;
  readonly options: unknown;
  readonly attributes: ReadonlyMap<string, SourceAttribute>;
}

/** A component from the project's schema files: the database does not describe components. */
export interface ComponentFile {
  readonly uid: string;
  readonly collectionName: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface SourceTypes {
  readonly major: Major;
  readonly types: readonly SourceType[];
  readonly components: ReadonlyMap<string, SourceType>;
}

export const SETTINGS = "strapi_core_store_settings";
const SCHEMAS = "strapi_content_types_schema";

/** What an export omits: administrators, and what plans and reviews content. */
const isLeftOut = (uid: string): boolean =>
  /^(?:admin|strapi)::|^plugin::(?:content-releases|review-workflows)\./.test(uid);

/** The first existing table of the candidate names. */
export const tableOf = (tables: SourceTables, names: readonly string[]): string | undefined =>
  names.find((name) => tables.columns(name) !== undefined);

const attributesIn = (value: unknown): ReadonlyMap<string, SourceAttribute> =>
  new Map(
    isRecord(value)
      ? Object.entries(value).filter((entry): entry is [string, SourceAttribute] => isRecord(entry[1]))
      : [],
  );

const readSchemas = async (tables: SourceTables): Promise<Readonly<Record<string, unknown>>> => {
  const found = tables.columns(SETTINGS) && (await tables.having(SETTINGS, "key", [SCHEMAS]));
  const value = found?.[0]?.["value"];
  const schemas: unknown = typeof value === "string" ? JSON.parse(value) : undefined;
  if (!isRecord(schemas)) {
    throw new SetupError(`the database is none of Strapi 4 or 5: there is no ${SCHEMAS} in ${SETTINGS}.`);
  }
  return schemas;
};

/** Reads the existing types. Types without a table have no rows. */
export const readTypes = async (
  tables: SourceTables,
  componentFiles: readonly ComponentFile[],
): Promise<SourceTypes> => {
  const schemas = await readSchemas(tables);
  const major = tables.columns("files")?.includes("document_id") === true ? 5 : 4;
  const typeOf = (uid: string, isComponent: boolean, schema: unknown): SourceType[] => {
    if (!isRecord(schema)) return [];
    const { collectionName, attributes, options } = schema;
    if (typeof collectionName !== "string") return [];
    const table = tableOf(tables, namesOf(major, [collectionName]));
    if (table === undefined) return [];
    return [{ uid, isComponent, collectionName, table, options, attributes: attributesIn(attributes) }];
  };
  const types = Object.keys(schemas)
    .filter((uid) => !isLeftOut(uid))
    .flatMap((uid) => typeOf(uid, false, schemas[uid]));
  const components = componentFiles.flatMap(({ uid, ...schema }) => typeOf(uid, true, schema));
  return { major, types, components: new Map(components.map((type) => [type.uid, type])) };
};
