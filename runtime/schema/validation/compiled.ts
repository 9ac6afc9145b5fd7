/** Compiles the schemas that are used often: a valid value is then recognized in a tenth of the time. */
import { z } from "zod";

/** After so many uses, compiling a schema (half a millisecond) is likely to pay. */
const OFTEN = 200;

interface Use {
  count: number;
  /** Undefined as long as it is used too seldom, or if it cannot be compiled. */
  compiled: z.ZodType | undefined;
}

const uses = new WeakMap<z.ZodType, Use>();

/**
 * Whether a schema that is used often accepts a value. False says nothing: the schema itself has to be asked, which also
 * has the faults.
 *
 * @param compilable returns the schema to compile, which accepts the same
 */
export const isOftenValid = (schema: z.ZodType, value: unknown, compilable: () => z.ZodType): boolean => {
  let use = uses.get(schema);
  if (!use) uses.set(schema, (use = { count: 0, compiled: undefined }));
  use.count += 1;
  if (use.count === OFTEN) {
    const given = compilable();
    const compiled = z.compile(given);
    // What cannot be compiled is returned as it is.
    if (compiled !== given) use.compiled = compiled;
  }
  return use.compiled !== undefined && z.validate(use.compiled, value);
};
