/** JSON schemas of schema files, for editors: derived from the same shapes that `cms generate` checks. */
import { z } from "zod";
import { attributeShapes } from "../generator/schema/attribute-shapes.ts";
import { componentShape, contentTypeShape } from "../generator/schema/file-shapes.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Ignores keys that tools leave behind. */
const LEFTOVERS = { "^__.*__$": {} };

/** An object has only the keys that it lists, and null means that an option is absent. */
const completed = (schema: JsonSchema): void => {
  const { properties, required = [] } = schema;
  if (properties === undefined) return;
  schema.properties = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => {
      const isOption = typeof each === "object" && Object.keys(each).length > 0 && !required.includes(name);
      return [name, isOption ? { anyOf: [each, { type: "null" }] } : each];
    }),
  );
  if (schema.additionalProperties !== undefined) return;
  schema.additionalProperties = false;
  schema.patternProperties = LEFTOVERS;
};

const attributes = z.record(z.string(), z.union(Object.values(attributeShapes))).optional();

const jsonSchemaOf = (shape: z.ZodObject): string => {
  const schema = z.toJSONSchema(shape.extend({ attributes }), {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => completed(jsonSchema),
  });
  return `${JSON.stringify(schema, null, 2)}\n`;
};

/** The JSON schema files of the package, which schema files name in `$schema`, and their texts. */
export const jsonSchemas = (): Readonly<Record<string, string>> => ({
  "content-type.json": jsonSchemaOf(contentTypeShape),
  "component.json": jsonSchemaOf(componentShape),
});
