/** Reads the parameters of writes. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Config } from "../../config/config.ts";
import type { RawQuery } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";

/** The status to write: `published` by default. Any other text means the draft, if the type has drafts. */
export const statusOf = (type: ContentType, { status }: RawQuery): Status =>
  type.draftAndPublish && status !== undefined && status !== "published" ? "draft" : "published";

const notText = (raw: unknown): ValidationError => {
  const shown = Array.isArray(raw) ? raw.join(",") : String(raw);
  return new ValidationError(`Invalid locale param ${shown} provided. Document locales must be strings.`);
};

/**
 * The locale to write: null for types without locales, the default one if none is given. Throws for an unconfigured
 * locale.
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

/** The locales that a deletion applies to; undefined for all. For a locale without versions, nothing is deleted. */
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

/** Whether a version is in one of the locales of {@link deletedLocales}. */
export const isAmong = (
  locales: readonly string[] | undefined,
  { locale }: { readonly locale: string | null },
): boolean => locale === null || locales === undefined || locales.includes(locale);

/**
 * Refuses parameters that a write of many documents does not support: code that passes `pagination` or `sort` means to
 * write some documents, and would write all. Calls are not always type-checked.
 *
 * @throws ValidationError naming the parameter
 */
export const checkParameters = (query: RawQuery, names: readonly string[]): void => {
  const unknown = Object.keys(query).find((name) => query[name] !== undefined && !names.includes(name));
  if (unknown !== undefined) {
    throw new ValidationError(`Invalid parameter ${unknown}. The parameters are ${names.join(", ")}`);
  }
};

/** The parameters that determine which documents a query finds. */
const NAMES = ["locale", "status", "filters", "publicationFilter", "_q"];

/**
 * The parameters that determine which documents a write by query changes.
 *
 * @throws ValidationError if `filters` is missing, which may be a mistake (`{}` explicitly means all documents), or for
 *   other parameters
 */
export const matchOf = (query: RawQuery): RawQuery => {
  checkParameters(query, NAMES);
  if (!isRecord(query["filters"])) {
    throw new ValidationError("filters are required: to write all documents, pass `filters: {}`");
  }
  return Object.fromEntries(NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])));
};
