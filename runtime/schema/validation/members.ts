/** What the runtime asks of single attributes, computed once per schema by asking the schema itself. */
import { z } from "zod";
import { remembering } from "../../base/remembering.ts";
import { type Condition, conditionalOf } from "./conditional.ts";

/** The schema of a content type or component. */
export type Schema = z.ZodObject;

export interface SchemaMember {
  /** The schema of the value; if there is a condition, the one that applies while it is true. */
  readonly schema: z.core.$ZodType;
  /** Whether it refuses to be missing or null, leaving its default aside. */
  readonly required: boolean;
  /** The default on creation if the body lacks the key; may be null. Computed at each use, since it may be the time. */
  readonly default: unknown;
  /** If it is false, the attribute is not checked. */
  readonly condition: Condition | undefined;
}

const memberOf = (member: z.core.$ZodType): SchemaMember => {
  const { schema, condition } = conditionalOf(member) ?? { schema: member, condition: undefined };
  const missing = z.safeParse(schema, undefined);
  const hasDefault = missing.success && missing.data !== undefined;
  return {
    schema,
    condition,
    required: hasDefault ? !z.safeParse(schema, null).success : !missing.success,
    get default() {
      return hasDefault ? z.safeParse(schema, undefined).data : undefined;
    },
  };
};

/** The attributes of a schema, by name. They depend only on the schema, so all servers in the process share them. */
export const membersOf = remembering(
  ({ shape }: Schema): ReadonlyMap<string, SchemaMember> =>
    new Map(Object.entries(shape).map(([name, member]) => [name, memberOf(member)])),
);
