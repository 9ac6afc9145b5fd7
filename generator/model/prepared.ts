/** The data that the model's passes work on: schema files with individually resolved attributes. */
import type { JsonPath, Place } from "../diagnostics/diagnostic.ts";
import { keyAt, valueAt, wholeFile } from "../diagnostics/diagnostic.ts";
import type { AttributeOf, AttributeSchema } from "../schema/attribute-shapes.ts";
import type { ComponentFile, ContentTypeFile } from "../schema/schema-file.ts";

export type PreparedAttribute = Exclude<AttributeSchema, { type: "customField" }>;
export type RelationSchema = AttributeOf<"relation">;
export type ScalarSchema = Exclude<PreparedAttribute, { type: "relation" | "media" | "component" | "dynamiczone" }>;

interface WithAttributes {
  /** In file order; lacks attributes that the model omits. */
  readonly attributes: ReadonlyMap<string, PreparedAttribute>;
}
export type PreparedType = ContentTypeFile & WithAttributes;
export type PreparedComponent = ComponentFile & WithAttributes;

export interface Prepared {
  /** Sorted by uid. */
  readonly contentTypes: readonly PreparedType[];
  readonly components: readonly PreparedComponent[];
}

/** Kinds of files that a media attribute may be limited to. */
export const MEDIA_KINDS: readonly string[] = ["images", "videos", "files", "audios"];

/** The file of built-in definitions. */
const BUILT_IN = "(built in)";

interface InFile {
  readonly file: string | undefined;
}

/** The value at `path` of a schema file. */
export const valueIn = ({ file }: InFile, ...path: JsonPath): Place =>
  file === undefined ? wholeFile(BUILT_IN) : valueAt(file, ...path);

/** The key at the end of `path` of a schema file. */
export const keyIn = ({ file }: InFile, ...path: JsonPath): Place =>
  file === undefined ? wholeFile(BUILT_IN) : keyAt(file, ...path);

/** Compares by code units, never by locale. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
