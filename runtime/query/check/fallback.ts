/** Determines the fallback locales for documents that lack the wanted one. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { LocaleScope } from "../query.ts";
import type { CheckContext } from "./context.ts";

const refused = (context: CheckContext, code: string): ValidationError =>
  new ValidationError(
    `Invalid parameter at 'fallback'. Locale "${code}" is not configured. The locales are ${context.config.locales.codes.join(", ")}`,
  );

/** The codes in a list, or in a text with commas. */
const codesOf = (context: CheckContext, raw: unknown): readonly string[] => {
  const codes: readonly unknown[] = typeof raw === "string" ? raw.split(",") : Array.isArray(raw) ? raw : [raw];
  return codes.flatMap((code) => {
    if (code === "") return [];
    if (typeof code === "string" && context.config.locales.codes.includes(code)) return [code];
    throw refused(context, typeof code === "string" ? code : JSON.stringify(code));
  });
};

/** The one locale that the query names, by `locale` or by default, if it names one. */
const oneLocale = (
  context: CheckContext,
  { locale, filters }: Readonly<Record<string, unknown>>,
): string | undefined => {
  if (isRecord(filters) && Object.hasOwn(filters, "locale")) return undefined;
  if (locale === undefined || locale === null || locale === "") return context.config.locales.default;
  return typeof locale === "string" && locale !== "*" ? locale : undefined;
};

/**
 * The locale to read and its fallbacks: those of the query, or else of the configuration. An empty `fallback` disables
 * them. Undefined if there are none.
 */
export const checkFallback = (
  context: CheckContext,
  query: Readonly<Record<string, unknown>>,
  { fallsBack = false }: { readonly fallsBack?: boolean | undefined },
): LocaleScope | undefined => {
  const { fallback } = query;
  const isGiven = fallback !== undefined && fallback !== null;
  const locale = oneLocale(context, query);
  if (locale === undefined) {
    if (isGiven) throw new ValidationError("Invalid parameter at 'fallback'. It needs a query for one locale");
    return undefined;
  }
  const configured = fallsBack ? context.config.locales.fallback?.[locale] : [];
  const others = isGiven ? codesOf(context, fallback) : (configured ?? []);
  const codes = [...new Set([locale, ...others])];
  return codes.length > 1 ? { kind: "first", slot: context.slot(codes) } : undefined;
};
