/** Schemas of attributes that depend on others of the same object. */
import { z } from "zod";
import { isRecord } from "../../base/is-record.ts";
import type { Json } from "../document.ts";
import { holds } from "./condition.ts";

/** JSON logic on attributes of the same object, as in the schema file. */
export type Condition = Json;

interface Conditional {
  readonly condition: Condition;
  /** The schema that applies while the condition is true. */
  readonly schema: z.core.$ZodType;
}

const known = new WeakMap<z.core.$ZodType, Conditional>();

/** What {@link when} recorded for an attribute; undefined for other attributes. */
export const conditionalOf = (schema: z.core.$ZodType): Conditional | undefined => known.get(schema);

/**
 * An attribute that is checked only while `condition` is true for the other attributes. The object that has it checks
 * it, see {@link conditional}: the schema of an attribute does not see the others.
 */
export const when = <Schema extends z.ZodType>(
  condition: Condition,
  schema: Schema,
): z.ZodOptional<z.ZodType<z.input<Schema> | null, z.input<Schema> | null>> => {
  const unchecked = z.any().optional();
  known.set(unchecked, { condition, schema });
  return unchecked;
};

/** Placeholder for the message of an issue, which the caller's error map supplies. */
const OPEN = "";

/** The issues of a value, at its name; those without a message of their own get one from the caller's error map. */
const issuesOf = (schema: z.core.$ZodType, name: string, value: unknown): z.core.$ZodRawIssue[] => {
  const { error } = z.safeParse(schema, value, { error: () => OPEN, reportInput: true });
  return (error?.issues ?? []).map(({ message, ...issue }) => ({
    input: undefined,
    ...issue,
    ...(message === OPEN ? {} : { message }),
    path: [name, ...issue.path],
    continue: true,
  }));
};

/** Checks the attributes made by {@link when}, whatever else is wrong with the object. */
export const conditional = <Schema extends z.ZodObject>(object: Schema): Schema => {
  const members = Object.entries(object.shape).flatMap(([name, member]) => {
    const found = conditionalOf(member);
    return found ? [{ name, ...found }] : [];
  });
  return object.superRefine(
    (value, { issues }) => {
      if (!isRecord(value)) return;
      for (const { name, condition, schema } of members) {
        if (holds(condition, value)) issues.push(...issuesOf(schema, name, value[name]));
      }
    },
    { when: () => true },
  );
};
