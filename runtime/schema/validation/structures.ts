/** Schemas for JSON, rich text, component entries and conditional attributes. */
import { z } from "zod";
import type { Blocks, Json } from "../document.ts";
import { blockNodes } from "./blocks.ts";
import { holds } from "./condition.ts";
import { type Condition, kindOf, mark } from "./kinds.ts";

const anyJson: z.ZodType<Json, Json> = mark(
  z.json().refine((value) => value !== null, { error: "Must not be null" }),
  { kind: "json" },
);

/** Any JSON value except null, which means no value. */
export const json = (): z.ZodType<Json, Json> => anyJson;

const anyBlocks: z.ZodType<Blocks, Blocks> = mark(blockNodes.clone(), { kind: "blocks" });

/** Rich text as a list of nodes. */
export const blocks = (): z.ZodType<Blocks, Blocks> => anyBlocks;

/** The fields of every component entry. If a body gives the `id`, it changes the existing entry. */
export const entryFields: { readonly id: z.ZodOptional<z.ZodInt> } = { id: z.int().optional() };

/** An attribute that is checked only if `condition` is true for the other attributes; see {@link conditional}. */
export const when = <Schema extends z.ZodType>(
  condition: Condition,
  schema: Schema,
): z.ZodOptional<z.ZodNullable<Schema>> => mark(schema.nullish(), { kind: "conditional", condition, schema });

/** Applies the conditions of an object's attributes, since the schema of a single attribute cannot see the others. */
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
