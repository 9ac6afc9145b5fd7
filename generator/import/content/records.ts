/** What the lines of an export say. */
import { z } from "zod";

/** Numbers of rows: what is none would be lost, or be no number in the database. */
const rowId = z.int32().positive();

/** Names of types and attributes, and documentIds: they are in indexes, which take no long texts. */
const name = z.string().max(255);

/** A row of a content type, or of a type of a plugin. Components stand inside, relations and files do not. */
export const entityRecord = z.object({
  type: name,
  id: rowId,
  data: z.looseObject({ documentId: name.nullish() }),
});
export type EntityRecord = z.output<typeof entityRecord>;

const end = z.object({
  type: name,
  field: name.nullish(),
  /** The row; of `localizations` in version 5 a documentId. */
  ref: z.union([rowId, z.string()]).nullish(),
  /** In place of the row, in archives of our own: the document has no fitting one. */
  documentId: name.optional(),
  pos: z.number().nullish(),
});

/** One target of a relation or of a media attribute. The left end is the side that has it stored. */
export const linkRecord = z.object({ kind: z.string(), relation: z.string(), left: end, right: end });
export type LinkRecord = z.output<typeof linkRecord>;

/** What a content type or component was declared as. */
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
  /** There when `cms export` wrote it. */
  galley: z.object({ format: z.number() }).optional(),
});
