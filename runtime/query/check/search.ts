/** `_q`: a case-insensitive search over the text attributes, and the numbers when a number is asked for. */
import { ValidationError } from "../../base/errors.ts";
import type { Condition } from "../query.ts";
import type { CheckContext } from "./context.ts";

export const checkSearch = (context: CheckContext, raw: unknown): Condition | undefined => {
  if (raw === undefined || raw === null || raw === "") return undefined;
  if (typeof raw === "object") throw new ValidationError("Invalid _q parameter. Expected a text");
  const text = String(raw).replaceAll("\0", "");
  // An underscore stands for any character, as clients of this wire format expect.
  const literal = text.replaceAll(/[\\%]/g, String.raw`\$&`);
  return { kind: "search", pattern: context.slot(`%${literal}%`), numbers: !Number.isNaN(Number(text)) };
};
