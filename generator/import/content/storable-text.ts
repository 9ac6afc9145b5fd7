/** Texts that PostgreSQL cannot store: it allows neither NUL nor lone surrogates. */
import type { Json } from "../../../runtime/schema/content-type.ts";

/** The text without NUL characters, and with a replacement character for each lone surrogate. */
export const storableText = (text: string): string => text.replaceAll("\0", "").toWellFormed();

/** The same for all texts and keys inside a JSON value. */
export const storableJson = (value: Json): Json => {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(storableJson);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [storableText(name), storableJson(each)]));
};

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
