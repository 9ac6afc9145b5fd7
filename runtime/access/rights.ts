/** Rights that callers have in common, so that what one was answered holds for the others. */
import type { Caller } from "./caller.ts";

type Can = Caller["can"];

/** A note on the function itself, true as long as there is one, whichever server asks: so it belongs to none of them. */
const common = new WeakSet<Can>();

/** Notes that `can` decides by the action alone, and never otherwise. What changes is another function. */
export const commonRights = (can: Can): Can => {
  common.add(can);
  return can;
};

/** What is the same for callers with the same rights; undefined where they are the caller's own. */
export const rightsOf = ({ can }: Pick<Caller, "can">): object | undefined => (common.has(can) ? can : undefined);
