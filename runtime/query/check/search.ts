/** `_q`: a case-insensitive search over the text attributes, and the numbers when a number is asked for. */
import type { Condition } from "../query.ts";
import type { CheckContext } from "./context.ts";

export const checkSearch = (context: CheckContext, raw: unknown): Condition | undefined => {
  if (raw === undefined || raw === null || raw === "") return undefined;
  const text = (typeof raw === "string" ? raw : JSON.stringify(raw)).replaceAll("\0", "");
  const literal = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
  const number = text.trim() === "" || !Number.isFinite(Number(text)) ? undefined : context.slot(String(Number(text)));
  return { kind: "search", pattern: context.slot(`%${literal}%`), number };
};
