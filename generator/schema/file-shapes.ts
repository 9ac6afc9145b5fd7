import { z } from "zod";
/** The shape of a schema file around its attributes. */
import { type AttributeSchema, pluginOptions } from "./attribute-shapes.ts";
import { componentPanel, typePanel } from "./panel-shapes.ts";

const text = z.string().optional();
const flag = z.boolean().optional();
const most = z.number().int().positive().optional();

/** Every attribute must be an object; its contents depend on its type. */
const attributes = z.record(z.string(), z.record(z.string(), z.unknown())).default({});

const info = { displayName: text, description: text, icon: text, name: text, preview: z.unknown().optional() };

/** Kebab case, since routes and GraphQL names derive from it. */
const kebab = z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, "expected lower-case words joined by hyphens");

const tableName = z
  .string()
  .regex(/^[A-Za-z][-_0-9A-Za-z]*$/, "expected a letter followed by letters, digits, _ and -")
  .optional();

/** Keys for an editor or admin interface, or from an older version: no effect here. */
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
    /** The weights of attributes; `A` is highest, `D` is the default. */
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
      panel: typePanel.optional(),
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
  options: z.looseObject({ panel: componentPanel.optional() }).default({}),
  pluginOptions,
  attributes,
});

/** The same, limited to weights of existing attributes. */
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
  /** In file order. */
  readonly attributes: Readonly<Record<string, AttributeSchema>>;
};

export type ContentTypeSchema = WithAttributes<z.infer<typeof contentTypeShape>>;
export type ComponentSchema = WithAttributes<z.infer<typeof componentShape>>;
