/** What the builders of `galley-cms/validators` make: for each attribute, how a body's value is cast and checked. */
import type { z } from "zod";
import type { Json } from "../content-type.ts";

/**
 * How strictly a body is checked.
 * `create`: everything, and what is required must be there; `update`: what is absent stays as it is;
 * `draft`: types, upper limits and enumerations only.
 */
export type Mode = "create" | "update" | "draft";

/** JSON logic over the sibling attributes, as it stands in the schema file. */
export type Condition = Json;

/** Options that every attribute has, as its schema file sets them. */
export interface AttributeOptions {
  readonly required?: boolean;
  /** Used on creation when the body has no such key; null is a default too. */
  readonly default?: unknown;
  readonly unique?: boolean;
  /** While it is false the attribute is not checked. */
  readonly condition?: Condition;
  /** `false`: bodies may not write it. */
  readonly writable?: boolean;
}

/** Attributes whose value holds attributes of its own. */
export type Nested =
  | { readonly kind: "component"; readonly validator: () => Validator }
  | { readonly kind: "components"; readonly validator: () => Validator }
  | { readonly kind: "zone"; readonly validators: Readonly<Record<string, () => Validator>> };

/** One attribute: Zod schemas for its value once cast. */
export interface AttributeValidator<Output = unknown> {
  readonly options: AttributeOptions;
  /** In full, as when it is created or published. */
  readonly published: z.ZodType<Output>;
  /** In full, as far as it is there. */
  readonly update: z.ZodType<Output | undefined>;
  /** Leniently, while it is a draft. */
  readonly draft: z.ZodType<Output | null | undefined>;
  /** Turns what JSON or a form may carry into the type's own value; leaves alone what it does not understand. */
  readonly cast?: (value: unknown) => unknown;
  readonly nested?: Nested;
}

/** The validators of a content type or component; the schemas of whole bodies are composed once, when first asked for. */
export interface Validator {
  readonly attributes: Readonly<Record<string, AttributeValidator>>;
  schema(mode: Mode): z.ZodObject<Record<string, z.ZodType>, z.core.$loose>;
}
