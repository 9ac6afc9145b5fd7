/** Determines the locale of a write. */
import { ValidationError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { ContentType } from "../../schema/content-type.ts";

const notText = (raw: unknown): ValidationError => {
  const shown = Array.isArray(raw) ? raw.join(",") : String(raw);
  return new ValidationError(`Invalid locale param ${shown} provided. Document locales must be strings.`);
};

/**
 * The locale to write: null for types without locales, the default one if none is given. Throws for a locale that is
 * not configured.
 */
export const writtenLocale = ({ locales }: Pick<Config, "locales">, type: ContentType, raw: unknown): string | null => {
  if (!type.localized) return null;
  if (raw === undefined || raw === null || raw === "") return locales.default;
  if (typeof raw !== "string" || raw === "*") throw notText(raw);
  if (locales.codes.includes(raw)) return raw;
  throw new ValidationError(`Locale "${raw}" is not configured. The locales are ${locales.codes.join(", ")}`, {
    locale: raw,
  });
};

/** The locales that a deletion applies to; undefined for all. A locale that no version has deletes nothing. */
export const deletedLocales = (
  { locales }: Pick<Config, "locales">,
  type: ContentType,
  raw: unknown,
): readonly string[] | undefined => {
  if (!type.localized || raw === "*") return undefined;
  if (raw === undefined || raw === null || raw === "") return [locales.default];
  const codes: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  if (codes.includes("*")) return undefined;
  return codes.map((code) => {
    if (typeof code !== "string") throw notText(raw);
    return code.replaceAll("\0", "");
  });
};
