/** What our own schemas mean beyond their Zod definitions: a note on each, which its copies inherit. */
import type { z } from "zod";
import type { Json, MediaKind, Uid } from "../content-type.ts";

/** JSON logic over the sibling attributes, as it stands in the schema file. */
export type Condition = Json;

export interface FileKind {
  readonly kind: "file";
  /** Undefined takes files of every kind. */
  readonly types: readonly MediaKind[] | undefined;
}

export interface RelationKind {
  readonly kind: "relation";
  /** Undefined where a relation leads to documents of any type. */
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
  /** What is asked for while the condition holds. */
  readonly schema: z.ZodType;
}

export type Kind =
  | FileKind
  | RelationKind
  | BigIntegerKind
  | ConditionalKind
  | { readonly kind: "blocks" | "decimal" | "instant" | "json" | "password" };

/** A note belongs to the schema, as a property would that Zod has no place for. */
const noted = new WeakMap<z.core.$ZodType, Kind>();

/** Notes what a schema means. */
export const mark = <Schema extends z.core.$ZodType>(schema: Schema, kind: Kind): Schema => {
  noted.set(schema, kind);
  return schema;
};

/** What a schema means, or the one that it was made of by adding checks. */
export const kindOf = (schema: z.core.$ZodType): Kind | undefined => {
  const { parent } = schema._zod;
  return noted.get(schema) ?? (parent && kindOf(parent));
};
