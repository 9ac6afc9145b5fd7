/** Schemas for JSON, rich text and component entries. */
import { z } from "zod";
import type { Blocks, Json } from "../document.ts";
import { blockNodes } from "./blocks.ts";
import { pathText } from "./print.ts";

/** The result of casting text that is not JSON. */
export const invalidJson = Symbol("invalid JSON");

const anyJson: z.ZodType<Json, Json> = z
  .any()
  .refine((value) => value !== undefined && value !== null && value !== invalidJson, {
    error: ({ path, input }) =>
      `${pathText(path)} ${input === invalidJson ? "must be valid JSON" : "must be defined."}`,
  });

/** Any JSON value except null, which means no value. */
export const json = (): z.ZodType<Json, Json> => anyJson;

const anyBlocks: z.ZodType<Blocks, Blocks> = blockNodes;

/** Rich text as a list of nodes. */
export const blocks = (): z.ZodType<Blocks, Blocks> => anyBlocks;

/** The fields of every component entry. If a body gives the `id`, it changes the existing entry. */
export const entryFields: { readonly id: z.ZodOptional<z.ZodType<number, number>> } = {
  // Whether there is such an entry is known only where the document is stored.
  id: z.any().optional(),
};
