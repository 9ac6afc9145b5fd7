/** Checks the bodies of authentication requests: reports every fault at once, with the messages that clients know. */
import { z } from "zod";
import { isRecord } from "../base/is-record.ts";
import {
  checkData,
  type Data,
  type FieldError,
  type Path,
  validationError,
  valueAt,
} from "../schema/validation/check.ts";
import { isEmail } from "../schema/validation/email.ts";
import { missing, pathText } from "../schema/validation/messages.ts";

/** The members of a body; none if it is not an object. */
export const membersOf = (body: unknown): Data => (isRecord(body) ? { ...body } : {});

/** A fault of a member, or of a part of one (`role.connect`), with its complete message. */
export const faultOf = (name: string, message: string, value: unknown): FieldError => ({
  path: name.split("."),
  message,
  name: "ValidationError",
  ...(value === undefined ? {} : { value }),
});

const required = { error: ({ path }: Pick<z.core.$ZodRawIssue, "path">) => `${pathText(path)} is a required field` };
const address = { error: ({ path }: Pick<z.core.$ZodRawIssue, "path">) => `${pathText(path)} must be a valid email` };
const isAddress = (text: string): boolean => text === "" || isEmail(text);

/** A required text that must not be empty. */
export const text = z.string({ error: missing }).min(1, required);
/** A required text. If it is empty, this also reports that it is too short. */
export const filledText = z.string({ error: missing }).min(1).min(1, required);
export const optionalText = z.string().nullish();
/** An optional text that must not be empty. */
export const changedText = z.string().min(1).optional();
/** A required e-mail address. */
export const email = text.refine(isAddress, address);
/** An optional e-mail address. */
export const changedEmail = z.string().min(1).refine(isAddress, address).optional();

/** Most unknown members that a message lists. */
const MOST_NAMED = 100;

/** A body that has these members and no others. */
export const onlyThese = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `this field has unspecified keys: ${issue.keys.slice(0, MOST_NAMED).join(", ")}`
        : undefined,
  });

/**
 * Reads a body.
 *
 * @param body undefined for a request without one
 * @param others faults found elsewhere
 * @throws ValidationError with every fault
 */
export const readBody = <Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  body: unknown = {},
  others: readonly FieldError[] = [],
): z.output<z.ZodObject<Shape>> => {
  const original = (path: Path): unknown => valueAt(body, path);
  const faults = checkData(schema, body, { original, isNew: true, isIgnored: () => false });
  const all = isRecord(body) ? [...faults, ...others] : faults;
  if (all.length > 0) throw validationError(all);
  return schema.parse(body);
};
