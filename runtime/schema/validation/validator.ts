import { z } from "zod";
import type { AttributeValidator, Mode, Validator } from "./attribute.ts";

const member = { create: "published", update: "update", draft: "draft" } as const;

/** The validators of one content type or component, by attribute. */
export const validator = (attributes: Readonly<Record<string, AttributeValidator>>): Validator => {
  const schemas = new Map<Mode, z.ZodObject<Record<string, z.ZodType>, z.core.$loose>>();
  const compose = (mode: Mode): z.ZodObject<Record<string, z.ZodType>, z.core.$loose> =>
    z.looseObject(
      Object.fromEntries(Object.entries(attributes).map(([name, attribute]) => [name, attribute[member[mode]]])),
    );
  return {
    attributes,
    schema: (mode) => {
      const schema = schemas.get(mode) ?? compose(mode);
      schemas.set(mode, schema);
      return schema;
    },
  };
};
