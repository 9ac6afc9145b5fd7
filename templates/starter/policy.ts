import type { RestPolicy } from "galley-cms/rest";

/** Lets a request pass by `true`; anything else is a 403. */
export const example: RestPolicy = ({ state }) => state.caller.kind === "user";
