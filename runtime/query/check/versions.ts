/** Determines which versions are read: by status, locale, fallback locales and the publication filters. */
import { ForbiddenError, ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { publicationFilters } from "../../schema/publication-filter.ts";
import type { Cohort, LocaleScope, AnyStatus } from "../query.ts";
import { validText } from "./cast.ts";
import { type CheckContext, rawText } from "./context.ts";
import { LIVE, NEWEST, PREVIEW } from "./selected.ts";

/**
 * The status to read. Any text but `published` means drafts, unless parameters are strict. Reading drafts may need a
 * permission (403).
 */
export const checkStatus = (context: CheckContext, type: ContentType, raw: unknown): AnyStatus => {
  if (raw === NEWEST) return type.draftAndPublish && context.mayReadDrafts(type.uid) ? "either" : "published";
  if (raw === PREVIEW) {
    if (type.draftAndPublish && !context.mayReadDrafts(type.uid)) throw new ForbiddenError();
    return "either";
  }
  if (raw === LIVE) return "published";
  const { strictParams } = context.config.rest;
  if (strictParams && raw !== undefined && raw !== "draft" && raw !== "published") {
    const received = typeof raw === "string" ? raw : JSON.stringify(raw);
    throw new ValidationError(`Invalid parameter at 'status'. Expected 'published' or 'draft', received: ${received}`);
  }
  if (raw === undefined || raw === "published") return "published";
  // A type without draft & publish ignores the status, but passes it on to populated relations.
  if (type.draftAndPublish && !context.mayReadDrafts(type.uid)) throw new ForbiddenError();
  return "draft";
};

const LOCALE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/;

/**
 * The locale to read. A top-level `locale` filter overrides the parameter. With `single` one document is read, so `*`
 * finds nothing.
 */
export const checkLocale = (
  context: CheckContext,
  type: ContentType,
  raw: unknown,
  filters: unknown,
  single: boolean,
): LocaleScope => {
  if (!type.localized) return { kind: "all" };
  const filtered = isRecord(filters) && Object.hasOwn(filters, "locale");
  if (raw === undefined || raw === null || raw === "") {
    return filtered ? { kind: "all" } : { kind: "one", slot: context.slot(context.config.locales.default) };
  }
  const codes: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  if (codes.some((code) => typeof code !== "string") || (single && Array.isArray(raw))) {
    throw new ValidationError(`Invalid locale param ${rawText(raw)} provided. Document locales must be strings.`);
  }
  const texts = codes.map((code) => validText(String(code), "locale"));
  if (context.config.rest.strictParams) texts.forEach(checkCode);
  if (filtered || (!single && texts.includes("*"))) return { kind: "all" };
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return { kind: "one", slot: context.slot(only) };
  return { kind: "some", slot: context.slot(texts) };
};

const checkCode = (code: string): void => {
  if (code === "*" || (code.length <= 35 && LOCALE.test(code))) return;
  throw new ValidationError(
    `Invalid parameter at 'locale'. Expected a locale code such as en or pt-BR, received: ${code}`,
  );
};

/**
 * The publication filter: `publicationFilter`, or the older `hasPublishedVersion`. Both reveal which documents have
 * drafts, so callers who may not read drafts are refused (403).
 */
export const checkCohort = (
  context: CheckContext,
  type: ContentType,
  { status, publicationFilter: raw, hasPublishedVersion }: Readonly<Record<string, unknown>>,
): Cohort | undefined => {
  if (status === PREVIEW) return "newest";
  const cohort = raw === undefined ? older(hasPublishedVersion) : chosen(raw);
  if (cohort && type.draftAndPublish && !context.mayReadDrafts(type.uid)) throw new ForbiddenError();
  return cohort;
};

const chosen = (raw: unknown): Cohort => {
  const cohort = publicationFilters.find((name) => name === raw);
  if (cohort === undefined) {
    throw new ValidationError(
      `Invalid value for 'publicationFilter'. Expected one of: ${publicationFilters.join(", ")}.`,
      {
        source: "query",
        param: "publicationFilter",
      },
    );
  }
  return cohort;
};

const older = (raw: unknown): Cohort | undefined => {
  if (raw === undefined) return undefined;
  if (raw === true || raw === "true") return "has-published-version-document";
  if (raw === false || raw === "false") return "never-published-document";
  throw new ValidationError("Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string.");
};

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
