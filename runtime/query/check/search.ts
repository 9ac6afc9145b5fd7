/** `_q`: a case-insensitive search in text attributes, and also in numbers if the search text is a number. */
import { ValidationError } from "../../base/errors.ts";
import type { Condition } from "../query.ts";
import { validText } from "./cast.ts";
import type { CheckContext } from "./context.ts";

export const checkSearch = (context: CheckContext, raw: unknown): Condition | undefined => {
  if (raw === undefined || raw === null || raw === "") return undefined;
  if (typeof raw === "object") throw new ValidationError("Invalid _q parameter. Expected a text");
  const text = validText(String(raw), "_q");
  // `_` is not escaped: it stands for any character, as clients of this wire format expect.
  const literal = text.replaceAll(/[\\%]/g, String.raw`\$&`);
  return { kind: "search", pattern: context.slot(`%${literal}%`), numbers: !Number.isNaN(Number(text)) };
};
