import type { z } from "zod";
import type { AttributeOptions, AttributeValidator } from "./attribute.ts";

interface Schemas {
  readonly full: z.ZodType;
  readonly lenient: z.ZodType;
  readonly cast?: (value: unknown) => unknown;
}

/** Draft and published schemas of one value, with what `required` means in each. */
export const attribute = (options: AttributeOptions, { full, lenient, cast }: Schemas): AttributeValidator => {
  const published = options.required ? full : full.nullish();
  return {
    options,
    published,
    update: published.optional(),
    draft: lenient.nullish(),
    ...(cast ? { cast } : {}),
  };
};

/** Refuses undefined and null, which `z.unknown()` takes. */
export const present = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.refine((value) => value !== undefined && value !== null, { params: { rule: "present" } });
