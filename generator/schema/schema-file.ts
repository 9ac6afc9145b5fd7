import type { ComponentSchema, ContentTypeSchema } from "./file-shapes.ts";

interface SchemaFileBase {
  /** Relative to the root, with forward slashes; undefined for built-in definitions. */
  readonly file: string | undefined;
}

export interface ContentTypeFile extends SchemaFileBase {
  readonly kind: "contentType";
  /** `api::article.article` or `plugin::users-permissions.user`. */
  readonly uid: string;
  readonly schema: ContentTypeSchema;
  /** The `extension.ts` beside it, relative to the root, with forward slashes. */
  readonly extension: string | undefined;
}

export interface ComponentFile extends SchemaFileBase {
  readonly kind: "component";
  /** `shared.seo`. */
  readonly uid: string;
  readonly category: string;
  readonly name: string;
  readonly schema: ComponentSchema;
}

/** A valid schema file. */
export type SchemaFile = ContentTypeFile | ComponentFile;

/** An `extension.ts` without a schema file: it extends a built-in type. */
export interface ExtensionFile {
  /** The uid derived from its path. */
  readonly uid: string;
  /** Relative to the root, with forward slashes. */
  readonly file: string;
}
