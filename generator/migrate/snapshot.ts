/**
 * The result of a migration: the tables as PostgreSQL sees them, and the content types they were made from. Each
 * generated migration has one; the next diff starts from it.
 */
import { z } from "zod";

const column = z.strictObject({
  /** As PostgreSQL prints it: `character varying(255)`, `timestamp(3) without time zone` in short form. */
  type: z.string(),
  notNull: z.literal(true).optional(),
  identity: z.literal(true).optional(),
  /** An SQL expression. */
  default: z.string().optional(),
  /** The SQL expression that a trigger keeps it equal to. */
  computed: z.string().optional(),
});

const index = z.strictObject({
  /** Quoted names or expressions, with their order. */
  on: z.array(z.string()),
  unique: z.literal(true).optional(),
  where: z.string().optional(),
  method: z.string().optional(),
});

const foreignKey = z.strictObject({
  columns: z.array(z.string()),
  table: z.string(),
  references: z.array(z.string()),
  onDelete: z.string(),
});

const table = z.strictObject({
  columns: z.record(z.string(), column),
  primaryKey: z.strictObject({ name: z.string(), columns: z.array(z.string()) }).optional(),
  uniques: z.record(z.string(), z.array(z.string())),
  indexes: z.record(z.string(), index),
  foreignKeys: z.record(z.string(), foreignKey),
});

const scalarOutline = z.strictObject({
  kind: z.literal("scalar"),
  type: z.string(),
  column: z.string(),
  enum: z.array(z.string()).optional(),
});
const mediaOutline = z.strictObject({
  kind: z.literal("media"),
  multiple: z.literal(true).optional(),
  column: z.string().optional(),
  link: z.string().optional(),
});
const componentOutline = z.strictObject({
  kind: z.literal("component"),
  component: z.string(),
  repeatable: z.literal(true).optional(),
  column: z.string(),
});
const zoneOutline = z.strictObject({
  kind: z.literal("dynamiczone"),
  components: z.array(z.string()),
  column: z.string(),
});
const relationOutline = z.strictObject({
  kind: z.literal("relation"),
  relation: z.string(),
  many: z.literal(true).optional(),
  target: z.string().optional(),
  column: z.string().optional(),
  typeColumn: z.string().optional(),
  positionColumn: z.string().optional(),
  link: z.string().optional(),
  /** The target's attribute that stores it. */
  storedBy: z.string().optional(),
});
const attribute = z.discriminatedUnion("kind", [
  scalarOutline,
  mediaOutline,
  componentOutline,
  zoneOutline,
  relationOutline,
]);
const attributes = z.record(z.string(), attribute);

const contentType = z.strictObject({
  table: z.string(),
  draftAndPublish: z.boolean(),
  localized: z.boolean(),
  attributes,
});

/** Two names for one thing. During a two-step rename both builds know it. */
const pair = { old: z.string(), new: z.string() };
const expanded = z.strictObject({
  /** Columns that a trigger keeps in sync. */
  columns: z.array(z.strictObject({ table: z.string(), ...pair })),
  /** Link tables that a view exposes under their old name. */
  links: z.array(z.strictObject(pair)),
  /** Attributes whose values versions hold under both names. */
  versions: z.array(z.strictObject({ type: z.string(), ...pair })).optional(),
});

const snapshot = z.strictObject({
  version: z.literal(1),
  /** Name of the migration whose snapshot this one was compared with; null for the first. */
  previous: z.string().nullable(),
  contentTypes: z.record(z.string(), contentType),
  components: z.record(z.string(), z.strictObject({ attributes })),
  sequences: z.array(z.string()),
  tables: z.record(z.string(), table),
  /** Places of attributes that published content must have; undefined in snapshots that do not record them. */
  required: z.array(z.string()).optional(),
  /** Defaults of attributes by place: the values of content that nobody set. */
  defaults: z.record(z.string(), z.unknown()).optional(),
  /** Uids of single types; undefined in snapshots that do not record them. */
  single: z.array(z.string()).optional(),
  /** Uids of types that keep versions; undefined if there are none, or if not recorded. */
  history: z.array(z.string()).optional(),
  /**
   * Places of attributes that all locales of a document share; undefined if no type is localized, or if not recorded.
   */
  shared: z.array(z.string()).optional(),
  /** The locale that content of newly localized types got; undefined if there were none. */
  localizedAs: z.string().optional(),
  /** Swaps that the schema declares, such as `a` that was `b` and `b` that was `a`: they have been applied. */
  swapped: z
    .strictObject({
      /** The old name by the place, or the uid, of the new one. */
      names: z.record(z.string(), z.string()),
      /** Old value of an enumeration by new, by the place of the attribute. */
      values: z.record(z.string(), z.record(z.string(), z.string())),
    })
    .optional(),
  /** What the migration was allowed to lose, in case it is regenerated. */
  allowed: z.array(z.string()).optional(),
  /** Its name from the command line. */
  named: z.string().optional(),
  /** Renamed places: old by new, such as `api::article.article.title`. */
  renamed: z.record(z.string(), z.string()).optional(),
  /** Components that replace others in places, while those continue to exist. */
  successors: z.array(z.strictObject({ ...pair, attributes: z.array(z.strictObject(pair)) })).optional(),
  /** What the schema said about the values of changed attributes, by place. */
  hinted: z
    .record(
      z.string(),
      z.strictObject({ convert: z.string().optional(), renamedValues: z.record(z.string(), z.string()).optional() }),
    )
    .optional(),
  /** Checksums of the SQL as generated: edited SQL is not replaced. */
  written: z.strictObject({ up: z.string(), down: z.string() }).optional(),
  /** Half-done renames, which `cms generate --contract` completes. */
  expanded: expanded.optional(),
});

export type Column = z.infer<typeof column>;
export type Index = z.infer<typeof index>;
export type ForeignKey = z.infer<typeof foreignKey>;
export type Table = z.infer<typeof table>;
export type Tables = Readonly<Record<string, Table>>;
export type AttributeOutline = z.infer<typeof attribute>;
export type ContentTypeOutline = z.infer<typeof contentType>;
export type ComponentOutline = { readonly attributes: Readonly<Record<string, AttributeOutline>> };
export type Expanded = z.infer<typeof expanded>;
export type Snapshot = z.infer<typeof snapshot>;

export const emptySnapshot: Snapshot = {
  version: 1,
  previous: null,
  contentTypes: {},
  components: {},
  sequences: [],
  tables: {},
};

/** Parses a snapshot. Throws an `Error` that says what is wrong with it. */
export const parseSnapshot = (text: string): Snapshot => {
  const result = snapshot.safeParse(JSON.parse(text));
  if (result.success) return result.data;
  throw new Error(z.prettifyError(result.error));
};

export const printSnapshot = (value: Snapshot): string => `${JSON.stringify(value, null, 2)}\n`;
