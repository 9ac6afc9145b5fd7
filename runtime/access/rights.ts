/** Lets callers with the same permissions share cached answers. */
import type { Caller } from "./caller.ts";

type Can = Caller["can"];

/** Functions `can` that decide by the action alone. The mark belongs to the function, so one set serves all servers. */
const common = new WeakSet<Can>();

/**
 * Marks a `can` that decides by the action alone and never changes its answers: when permissions change, there must be
 * a new function.
 */
export const commonRights = (can: Can): Can => {
  common.add(can);
  return can;
};

/**
 * An object that is the same for all callers with the same permissions; undefined if the caller shares them with
 * nobody.
 */
export const rightsOf = ({ can }: Pick<Caller, "can">): object | undefined => (common.has(can) ? can : undefined);
