/** Turns the raw parameters of a query, from a query string or from code, into a checked query. */
import { didYouMean } from "../../base/did-you-mean.ts";
import { ValidationError, invalidKey, PaginationError } from "../../base/errors.ts";
import type { Uid } from "../../schema/content-type.ts";
import { type CheckedQuery, type Condition, partsOf, type QueryParam, type Shape } from "../query.ts";
import { booleanWord, type CheckContext, type CheckOptions } from "./context.ts";
import { checkFields, checkSort } from "./fields-and-sort.ts";
import { checkFilters } from "./filters.ts";
import { checkPagination, checkPaginationKeys, PAGINATION_KEYS } from "./pagination.ts";
import { checkEntry } from "./populate-entry.ts";
import { checkPopulate } from "./populate.ts";
import { checkFound, checkSearch, demandWords, hasFound, isByScore } from "./search.ts";
import { LIVE, PREVIEW } from "./selected.ts";
import { checkCohort, checkFallback, checkLocale, checkStatus } from "./versions.ts";
import { checkWalk } from "./walk.ts";

/** Raw parameters: strings and nested objects of strings from a query string, or plain values from code. */
export type RawQuery = Readonly<Record<string, unknown>>;

const TOP_LEVEL = new Set([
  "filters",
  "sort",
  "fields",
  "populate",
  "status",
  "locale",
  "fallback",
  "localization",
  "publicationFilter",
  "hasPublishedVersion",
]);

/** Additional parameters of lists. */
const OF_LISTS = new Set(["_q", "pagination"]);
/** Those of lists that full-text search finds. */
const OF_FOUND = new Set(["facets", "snippets"]);

/** Checks every parameter. Throws the first fault as an HttpError (400, or 403 for drafts without permission). */
export const check = (
  context: CheckContext,
  uid: Uid,
  raw: RawQuery,
  { single, code, fallsBack, limits = context.config.rest }: CheckOptions,
): CheckedQuery => {
  const isFound = hasFound(context, context.schema.type(uid).type);
  if (!code) checkTopLevel(raw, context.config.rest.strictParams, { single, isFound });
  const shape = shapeOf(context, uid, raw, { single, code, fallsBack });
  context.budget.query(shape.level);
  const page = checkPagination(single ? undefined : raw["pagination"], limits, code);
  const { parameters, costLimit } = context;
  if (page.after === undefined) return { shape, key: JSON.stringify(shape), parameters, page, costLimit };
  const { cursor, ...walked } = checkWalk(context, shape, page.after);
  const complete = { ...shape, ...walked };
  return { shape: complete, key: JSON.stringify(complete), parameters, page, costLimit, cursor };
};

const shapeOf = (
  context: CheckContext,
  uid: Uid,
  raw: RawQuery,
  { single, code, fallsBack }: Pick<CheckOptions, "single" | "code" | "fallsBack">,
): Shape => {
  const owner = context.schema.type(uid);
  const { type } = owner;
  const status = checkStatus(context, type, raw["status"]);
  context.isOld = raw["status"] === LIVE || raw["status"] === PREVIEW;
  context.filterBy(checkCohort(context, type, raw));
  const { filters } = raw;
  if (!code && Array.isArray(filters)) throw new ValidationError("The filters parameter must be an object");
  const at = (param: QueryParam) => ({ context, owner, status, param, path: null, steps: 0 });
  const conditions = filters === undefined || filters === null ? undefined : checkFilters(at("filters"), filters);
  const byScore = isByScore(context, raw["sort"]);
  const sort = byScore ? [] : checkSort(at("sort"), raw["sort"]);
  // Clients expect a list whose filters look into relations to show the attributes it is sorted by, too.
  const fields = checkFields(at("fields"), raw["fields"], conditions && looksElsewhere(conditions) ? sort : []);
  const populate = checkPopulate({ ...at("populate"), depth: 0, checkEntry }, raw["populate"]);
  const locale =
    checkFallback(context, raw, { fallsBack }) ?? checkLocale(context, type, raw["locale"], raw["filters"], single);
  const search = checkSearch(context, owner, raw["_q"], { locale, status });
  if (byScore) demandWords(search, raw["pagination"]);
  return {
    level: { uid, fields, populate },
    status,
    locale,
    filters: conditions,
    search,
    cohort: type.draftAndPublish && status === "either" ? "newest" : context.cohortOf(type),
    sort,
    ...(byScore ? { byScore } : {}),
    ...(single ? {} : checkFound(at("facets"), raw)),
  };
};

const looksElsewhere = (condition: Condition): boolean =>
  condition.kind === "related" || partsOf(condition).some(looksElsewhere);

const checkTopLevel = (
  raw: RawQuery,
  strict: boolean,
  { single, isFound }: { readonly single: boolean; readonly isFound: boolean },
): void => {
  if (raw["lookup"]) throw new ValidationError("Invalid params: 'lookup'");
  if (!single && (raw["page"] !== undefined || raw["pageSize"] !== undefined)) {
    throw new PaginationError(
      "Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object",
    );
  }
  if (raw["localization"] !== undefined && booleanWord(raw["localization"]) === undefined) {
    throw new ValidationError("Invalid parameter at 'localization'. Expected true or false");
  }
  if (!strict) return;
  const known = single ? TOP_LEVEL : new Set([...TOP_LEVEL, ...OF_LISTS, ...(isFound ? OF_FOUND : [])]);
  for (const key of Object.keys(raw)) {
    if (!known.has(key)) throw unknownParameter(key, single, known);
  }
  if (!single) checkPaginationKeys(raw["pagination"]);
};

/** The error for a parameter that does not exist, or does not apply to one document. */
const unknownParameter = (key: string, single: boolean, known: ReadonlySet<string>): ValidationError => {
  const { message, details } = invalidKey(key, { path: null, source: "query", param: key });
  if (single && OF_LISTS.has(key)) return new ValidationError(`${message}. Only lists have it`, details);
  const meant = PAGINATION_KEYS.has(key) ? ` Did you mean "pagination[${key}]"?` : didYouMean(key, known);
  return new ValidationError(`${message}${meant && `.${meant}`}`, details);
};
