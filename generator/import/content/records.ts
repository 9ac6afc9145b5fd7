/** The records that the lines of an export contain. */
import { z } from "zod";

/** Row ids: an invalid one would be lost, or be no number in the database. */
const rowId = z.int32().positive();

/** Names of types and attributes, and documentIds: they are indexed, and indexes take no long texts. */
const name = z.string().max(255);

/** A row of a content type, or of a plugin's type. Includes components, but not relations or files. */
export const entityRecord = z.object({
  type: name,
  id: rowId,
  data: z.looseObject({ documentId: name.nullish() }),
});
export type EntityRecord = z.output<typeof entityRecord>;

const end = z.object({
  type: name,
  field: name.nullish(),
  /** The row; for `localizations` in version 5, a documentId. */
  ref: z.union([rowId, z.string()]).nullish(),
  /** Replaces the row in our own archives: the document has no suitable one. */
  documentId: name.optional(),
  pos: z.number().nullish(),
});

/** One target of a relation or media attribute. The left end is the side that stores it. */
export const linkRecord = z.object({ kind: z.string(), relation: z.string(), left: end, right: end });
export type LinkRecord = z.output<typeof linkRecord>;

/** The declaration of a content type or component. */
export const schemaRecord = z.object({
  uid: z.string(),
  modelType: z.string().nullish(),
  options: z.object({ draftAndPublish: z.boolean().nullish() }).nullish(),
  attributes: z.record(z.string(), z.unknown()).default({}),
});
export type SchemaRecord = z.output<typeof schemaRecord>;

export const configurationRecord = z.object({
  type: z.string(),
  value: z.record(z.string(), z.unknown()),
});
export type ConfigurationRecord = z.output<typeof configurationRecord>;

export const metadataRecord = z.object({
  createdAt: z.string().optional(),
  strapi: z.object({ version: z.string() }),
  /** Set if `cms export` wrote it. */
  galley: z.object({ format: z.number() }).optional(),
});
