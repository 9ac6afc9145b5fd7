/** Meanings of our schemas that Zod cannot express. Each schema is marked, and its copies inherit the mark. */
import type { z } from "zod";
import type { Json, MediaKind, Uid } from "../content-type.ts";

/** JSON logic on attributes of the same object, as in the schema file. */
export type Condition = Json;

export interface FileKind {
  readonly kind: "file";
  /** Undefined allows files of all kinds. */
  readonly types: readonly MediaKind[] | undefined;
}

export interface RelationKind {
  readonly kind: "relation";
  /** Undefined for a relation to documents of any type. */
  readonly target: Uid | undefined;
}

export interface BigIntegerKind {
  readonly kind: "biginteger";
  readonly min: bigint;
  readonly max: bigint;
}

export interface ConditionalKind {
  readonly kind: "conditional";
  readonly condition: Condition;
  /** The schema that applies if the condition is true. */
  readonly schema: z.ZodType;
}

export type Kind =
  | FileKind
  | RelationKind
  | BigIntegerKind
  | ConditionalKind
  | { readonly kind: "blocks" | "decimal" | "instant" | "json" | "password" };

/** The marks by schema; Zod has no property for them. */
const noted = new WeakMap<z.core.$ZodType, Kind>();

/** Marks a schema with its meaning. */
export const mark = <Schema extends z.core.$ZodType>(schema: Schema, kind: Kind): Schema => {
  noted.set(schema, kind);
  return schema;
};

/** The meaning of a schema, or of the one from which it was made by adding checks. */
export const kindOf = (schema: z.core.$ZodType): Kind | undefined => {
  const { parent } = schema._zod;
  return noted.get(schema) ?? (parent && kindOf(parent));
};
