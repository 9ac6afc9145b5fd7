import type { z } from "zod";
import { ValidationError } from "../../base/errors.ts";

/**
 * A query or a part of a body as a schema reads it.
 *
 * @throws ValidationError that names the first fault
 */
export const checked = <Output>(schema: z.ZodType<Output>, given: unknown): Output => {
  const { data, error } = schema.safeParse(given);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  const name = issue?.code === "unrecognized_keys" ? "" : `Invalid ${issue?.path.join(".")}: `;
  throw new ValidationError(`${name}${issue?.message ?? ""}`);
};
