/** Reads the generated schemas: one entry for each attribute, computed once per schema. */
import { z } from "zod";
import type { MediaKind } from "../content-type.ts";
import { castBigInteger, castBlocks, castBoolean, castEnumeration, castJson, castNumber } from "./casting.ts";
import { type Condition, kindOf } from "./kinds.ts";

/** The schema of a content type or component. */
export type Schema = z.ZodObject;

export interface SchemaMember {
  /** The schema of a value that is present. */
  readonly core: z.core.$ZodType;
  readonly required: boolean;
  /** The default on creation if the body has no such key; it may be null. */
  readonly default: unknown;
  /** If it is false, the attribute is not checked. */
  readonly condition: Condition | undefined;
  /** Casts values from JSON or forms to the type; leaves values unchanged that it cannot cast. */
  readonly cast: ((value: unknown) => unknown) | undefined;
}

interface Core extends Pick<SchemaMember, "core" | "required" | "condition"> {
  readonly filled: z.ZodDefault | undefined;
}

/** Removes the wrappers around the schema of a value. */
const unwrap = (schema: z.core.$ZodType, found: Omit<Core, "core">): Core => {
  const kind = kindOf(schema);
  if (kind?.kind === "conditional") return unwrap(kind.schema, { ...found, condition: kind.condition });
  if (kind) return { ...found, core: schema };
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap(), { ...found, required: false });
  }
  if (schema instanceof z.ZodDefault) return unwrap(schema.unwrap(), { ...found, filled: schema });
  if (schema instanceof z.ZodReadonly) return unwrap(schema.unwrap(), found);
  if (schema instanceof z.ZodUnion && !(schema instanceof z.ZodDiscriminatedUnion)) {
    // The other option is the empty text: `.or(z.literal(""))`.
    return unwrap(schema.options[0] ?? schema, found);
  }
  return { ...found, core: schema };
};

const castOf = (core: z.core.$ZodType): SchemaMember["cast"] => {
  switch (kindOf(core)?.kind) {
    case "biginteger":
      return castBigInteger;
    case "blocks":
      return castBlocks;
    case "json":
      return castJson;
    default:
  }
  if (core instanceof z.ZodNumber) return castNumber;
  if (core instanceof z.ZodBoolean) return castBoolean;
  return core instanceof z.ZodEnum ? castEnumeration : undefined;
};

const memberOf = (schema: z.core.$ZodType): SchemaMember => {
  const { core, required, condition, filled } = unwrap(schema, {
    required: true,
    condition: undefined,
    filled: undefined,
  });
  return {
    core,
    required,
    condition,
    cast: castOf(core),
    // Computed at each use: a default of the current time differs each time.
    get default() {
      return filled?.def.defaultValue;
    },
  };
};

/** Members depend only on the schema, so all servers in the process share them. */
const known = new WeakMap<Schema, ReadonlyMap<string, SchemaMember>>();

/** The attributes of a schema, by name. */
export const membersOf = (schema: Schema): ReadonlyMap<string, SchemaMember> => {
  const made =
    known.get(schema) ?? new Map(Object.entries(schema.shape).map(([name, member]) => [name, memberOf(member)]));
  known.set(schema, made);
  return made;
};

/** The kinds of files that a media attribute allows; undefined if it allows all. */
export const fileTypesOf = (member: SchemaMember | undefined): readonly MediaKind[] | undefined => {
  const kind = member && kindOf(member.core);
  return kind?.kind === "file" ? kind.types : undefined;
};
