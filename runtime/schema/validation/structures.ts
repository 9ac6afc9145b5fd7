/** Values with parts: JSON, rich text, and what components and conditions need beyond Zod's words. */
import { z } from "zod";
import type { Blocks, Json } from "../document.ts";
import { blockNodes } from "./blocks.ts";
import { holds } from "./condition.ts";
import { type Condition, kindOf, mark } from "./kinds.ts";

/** Any JSON value but null, which is no value. */
export const json = (): z.ZodType<Json, Json> =>
  mark(
    z.json().refine((value) => value !== null, { error: "Must not be null" }),
    { kind: "json" },
  );

/** Rich text as a list of nodes. */
export const blocks = (): z.ZodType<Blocks, Blocks> => mark(blockNodes.clone(), { kind: "blocks" });

/** What every entry of a component may have: with its `id` a body changes the entry that is there. */
export const entryFields: { readonly id: z.ZodOptional<z.ZodInt> } = { id: z.int().optional() };

/** An attribute that is asked for while `condition` holds of its siblings; see {@link conditional}. */
export const when = <Schema extends z.ZodType>(
  condition: Condition,
  schema: Schema,
): z.ZodOptional<z.ZodNullable<Schema>> => mark(schema.nullish(), { kind: "conditional", condition, schema });

/** Makes the conditions of an object's attributes count: an attribute alone cannot see its siblings. */
export const conditional = <Schema extends z.ZodObject>(object: Schema): Schema =>
  object.superRefine((values, context) => {
    for (const [name, member] of Object.entries(object.shape)) {
      const kind = kindOf(member);
      const value = values[name];
      if (kind?.kind !== "conditional" || (value ?? null) !== null || !holds(kind.condition, values)) continue;
      for (const issue of kind.schema.safeParse(value).error?.issues ?? []) {
        context.addIssue({ code: "custom", message: issue.message, path: [name, ...issue.path], input: value });
      }
    }
  });
