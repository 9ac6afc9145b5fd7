/** Limits what callers give away: the rights of API tokens that they create, and of users whose password they can set. */
import { ForbiddenError } from "../base/errors.ts";
import type { Caller } from "./caller.ts";

/**
 * Refuses a caller who may do less than what it gives away. Lists of attributes and rules about documents do not go
 * along, so callers with any give away nothing.
 *
 * @param what the beginning of the message, such as `This user`
 * @param actions what it would be able to do
 * @throws ForbiddenError that says what the caller lacks
 */
export const demandToHave = (caller: Caller, what: string, actions: readonly string[]): void => {
  if (actions.length > 0 && (caller.fields || caller.rows))
    throw new ForbiddenError(`${what} may do more than you, who may use only some documents or attributes`);
  const lacking = actions.find((action) => !caller.can(action));
  if (lacking !== undefined) throw new ForbiddenError(`${what} may do what you may not: ${lacking}`);
};
