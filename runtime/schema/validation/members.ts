/** What the runtime reads from the generated schemas: one entry for each attribute, made once per schema. */
import { z } from "zod";
import type { MediaKind } from "../content-type.ts";
import { castBigInteger, castBlocks, castBoolean, castEnumeration, castJson, castNumber } from "./casting.ts";
import { type Condition, kindOf } from "./kinds.ts";

/** The schema of a content type or component. */
export type Schema = z.ZodObject;

export interface SchemaMember {
  /** The schema of a value that is there. */
  readonly core: z.core.$ZodType;
  readonly required: boolean;
  /** Used on creation when the body has no such key; null is a default too. */
  readonly default: unknown;
  /** While it is false the attribute is not checked. */
  readonly condition: Condition | undefined;
  /** Turns what JSON or a form may carry into the type's own value; leaves alone what it does not understand. */
  readonly cast: ((value: unknown) => unknown) | undefined;
}

interface Core extends Pick<SchemaMember, "core" | "required" | "condition"> {
  readonly filled: z.ZodDefault | undefined;
}

/** Takes off what is wrapped around the schema of a value. */
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
    // What it may be besides is the empty value: `.or(z.literal(""))`.
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
    // Read when it is needed: that of a moment is another one each time.
    get default() {
      return filled?.def.defaultValue;
    },
  };
};

/** Members follow from the schema alone, whichever server reads them: so they are kept as long as the schema is. */
const known = new WeakMap<Schema, ReadonlyMap<string, SchemaMember>>();

/** The attributes of a schema, by name. */
export const membersOf = (schema: Schema): ReadonlyMap<string, SchemaMember> => {
  const made =
    known.get(schema) ?? new Map(Object.entries(schema.shape).map(([name, member]) => [name, memberOf(member)]));
  known.set(schema, made);
  return made;
};

/** The kinds of files that a media attribute takes; undefined where it takes all. */
export const fileTypesOf = (member: SchemaMember | undefined): readonly MediaKind[] | undefined => {
  const kind = member && kindOf(member.core);
  return kind?.kind === "file" ? kind.types : undefined;
};
