import { z } from "zod";
/** The shape of a schema file around its attributes. */
import { type AttributeSchema, pluginOptions } from "./attribute-shapes.ts";

const text = z.string().optional();
const flag = z.boolean().optional();
const most = z.number().int().positive().optional();

/** Every attribute must be an object; what is in it depends on its type. */
const attributes = z.record(z.string(), z.record(z.string(), z.unknown())).default({});

const info = { displayName: text, description: text, icon: text, name: text, preview: z.unknown().optional() };

/** Kebab case, as routes and GraphQL names are made of it. */
const kebab = z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, "expected lower-case words joined by hyphens");

const tableName = z
  .string()
  .regex(/^[A-Za-z][-_0-9A-Za-z]*$/, "expected a letter followed by letters, digits, _ and -")
  .optional();

/** Keys that a schema carries for an editor or an admin interface, or that an older version wrote: without effect here. */
const ignored = {
  $schema: text,
  config: z.unknown().optional(),
  connection: z.unknown().optional(),
  uid: z.unknown().optional(),
  apiName: z.unknown().optional(),
  category: z.unknown().optional(),
  globalId: z.unknown().optional(),
  modelName: z.unknown().optional(),
  modelType: z.unknown().optional(),
  lifecycles: z.unknown().optional(),
  indexes: z.unknown().optional(),
  foreignKeys: z.unknown().optional(),
};

const search = z.union([
  z.boolean(),
  z.strictObject({
    /** The language of a type without locales, such as `de`. */
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/)
      .optional(),
    /** How much the words of attributes count; `A` counts most, `D` is usual. */
    weights: z.record(z.string(), z.enum(["A", "B", "C", "D"])).optional(),
  }),
]);

export const contentTypeShape = z.object({
  ...ignored,
  kind: z.enum(["collectionType", "singleType"]).default("collectionType"),
  collectionName: tableName,
  info: z.object({ ...info, displayName: z.string(), singularName: kebab, pluralName: kebab, renamedFrom: text }),
  options: z
    .looseObject({
      draftAndPublish: flag,
      schedule: flag,
      search: search.optional(),
      history: z
        .union([z.boolean(), z.strictObject({ keep: most, days: most })], "expected true, or { keep, days }")
        .optional(),
      populateCreatorFields: flag,
      privateAttributes: z.array(z.string()).optional(),
    })
    .refine(({ schedule, draftAndPublish }) => schedule !== true || draftAndPublish === true, {
      path: ["schedule"],
      message: "only documents with draft & publish are published at a time",
    })
    .default({}),
  pluginOptions,
  attributes,
});

export const componentShape = z.object({
  ...ignored,
  collectionName: tableName,
  info: z.object({ ...info, renamedFrom: text }).default({}),
  options: z.looseObject({}).default({}),
  pluginOptions,
  attributes,
});

/** The same, with weights for none but attributes that there are. */
export const weightedTypeShape = contentTypeShape.superRefine(
  ({ options: { search: searching }, ...file }, context) => {
    const weights = typeof searching === "object" ? (searching.weights ?? {}) : {};
    for (const name of Object.keys(weights)) {
      if (Object.hasOwn(file.attributes, name)) continue;
      const path = ["options", "search", "weights", name];
      context.addIssue({ code: "custom", path, message: "expected the name of an attribute" });
    }
  },
);

type WithAttributes<File> = Omit<File, "attributes"> & {
  /** In the order of the file. */
  readonly attributes: Readonly<Record<string, AttributeSchema>>;
};

export type ContentTypeSchema = WithAttributes<z.infer<typeof contentTypeShape>>;
export type ComponentSchema = WithAttributes<z.infer<typeof componentShape>>;
