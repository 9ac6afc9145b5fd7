/** Pagination. Out-of-range numbers are clamped, not refused, as clients of this wire format expect. */
import { didYouMean } from "../../base/did-you-mean.ts";
import { invalidKey, PaginationError, ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Page } from "../query.ts";
import { booleanWord, type PageLimits, rawText } from "./context.ts";

export const PAGINATION_KEYS: ReadonlySet<string> = new Set([
  "page",
  "pageSize",
  "start",
  "limit",
  "withCount",
  "after",
]);

const unknownKey = (key: string, hint: string): ValidationError => {
  const { message, details } = invalidKey(key, { path: null, source: "query", param: "pagination" });
  return new ValidationError(`${message}${hint && `.${hint}`}`, details);
};

/** Refuses meaningless keys. */
export const checkPaginationKeys = (raw: unknown): void => {
  if (raw === undefined || raw === null || raw === "") return;
  if (!isRecord(raw)) throw unknownKey("pagination", " It takes an object, such as pagination[page]=1");
  for (const key of Object.keys(raw)) {
    if (!PAGINATION_KEYS.has(key)) throw unknownKey(key, didYouMean(key, PAGINATION_KEYS));
  }
};

/** With `code`, numbers come from code, and `limit: -1` means the maximum allowed. */
export const checkPagination = (raw: unknown, limits: PageLimits, code = false): Page => {
  // What JavaScript makes of an object that a client did not encode. Ignoring it would ignore the page it asks for.
  if (raw === String({})) throw new ValidationError("The pagination parameter must be an object");
  const given = isRecord(raw) ? raw : {};
  const names = new Set(Object.keys(given).filter((name) => given[name] !== undefined));
  const paged = names.has("page") || names.has("pageSize");
  const offset = names.has("start") || names.has("limit");
  if (paged && offset) {
    throw new PaginationError("Cannot use both page & offset pagination in the same query");
  }
  const after = checkAfter(given["after"], names);
  const withCount = checkWithCount(given["withCount"], after === undefined && limits.withCount);
  if (after !== undefined) {
    const size = offset ? checkSize(given["limit"], limits, code) : checkSize(given["pageSize"], limits, false);
    return { start: 0, limit: size, style: offset ? "offset" : "page", page: 1, withCount, after };
  }
  if (offset) {
    const limit = checkSize(given["limit"], limits, code);
    const start = checkStart(Math.max(0, numberOf(given["start"], 0)));
    if (start > Number.MAX_SAFE_INTEGER) throw new ValidationError(`Invalid start parameter. ${start} is too large`);
    return { start, limit, style: "offset", page: Math.floor(start / limit) + 1, withCount };
  }
  const limit = checkSize(given["pageSize"], limits, false);
  const asked = numberOf(given["page"], 1);
  const page = Number.isNaN(asked) ? asked : Math.max(1, asked);
  const start = Math.min(checkStart((page - 1) * limit), Number.MAX_SAFE_INTEGER);
  return { start, limit, style: "page", page, withCount };
};

/** The same for lists that cannot be read with cursors, for code. */
export const checkWindow = (raw: unknown, limits: PageLimits): Page => {
  const page = checkPagination(raw, limits, true);
  if (page.after === undefined) return page;
  throw new ValidationError("Only the lists of documents at the top of a query can be read with cursors");
};

/** The cursor of a page, which replaces the page number and the start. */
const checkAfter = (raw: unknown, names: ReadonlySet<string>): string | undefined => {
  if (!names.has("after")) return undefined;
  if (names.has("page")) throw new PaginationError("Cannot use both page & cursor pagination in the same query");
  if (names.has("start")) throw new PaginationError("Cannot use both offset & cursor pagination in the same query");
  if (typeof raw === "string") return raw;
  throw new ValidationError("Invalid after parameter. Expected one cursor, or an empty text for the first page");
};

/** The number for a raw value: a list of one item counts as that item; an object is not a number. */
const numberOf = (raw: unknown, absent: number): number =>
  raw === undefined || raw === null ? absent : Number(rawText(raw));

const checkSize = (raw: unknown, { defaultLimit, maxLimit }: PageLimits, code: boolean): number => {
  const asked = numberOf(raw, Math.min(defaultLimit, maxLimit));
  if (Number.isNaN(asked) || (code && raw === -1)) return maxLimit;
  const size = Math.min(Math.max(1, asked), maxLimit);
  if (!Number.isInteger(size)) {
    throw new ValidationError(`convertLimitQueryParams expected a positive integer got ${size}`);
  }
  return size;
};

const checkStart = (start: number): number => {
  if (!Number.isInteger(start)) {
    throw new ValidationError(`convertStartQueryParams expected a positive integer got ${start}`);
  }
  return start;
};

const checkWithCount = (raw: unknown, standard: boolean): boolean => {
  if (raw === undefined) return standard;
  const wanted = booleanWord(raw);
  if (wanted === undefined) {
    throw new ValidationError('Invalid withCount parameter. Expected "t","1","true","false","0","f"');
  }
  return wanted;
};

/** Pages without a maximum size. */
export const unlimited: PageLimits = {
  defaultLimit: Number.MAX_SAFE_INTEGER,
  maxLimit: Number.MAX_SAFE_INTEGER,
  withCount: true,
};

/** A number given as a top-level parameter: an integer not below `least`. */
const wholeNumber = (raw: unknown, { name, least }: { readonly name: string; readonly least: number }): number => {
  const number = typeof raw === "string" || typeof raw === "number" ? Number(raw) : Number.NaN;
  if (Number.isInteger(number) && number >= least) return number;
  throw new ValidationError(`convert${name}QueryParams expected a positive integer got ${number}`);
};

/**
 * The query for lists without pages, such as users and files. Uses only top-level `start` and `limit`; ignores other
 * pagination parameters. Returns everything unless `limit` is above 0. Use it with {@link unlimited}.
 */
export const bareList = <Query extends Readonly<Record<string, unknown>>>({
  start = 0,
  limit = -1,
  pagination: _pagination,
  page: _page,
  pageSize: _pageSize,
  ...rest
}: Query): Readonly<Record<string, unknown>> => ({
  ...rest,
  pagination: {
    start: wholeNumber(start, { name: "Start", least: 0 }),
    limit: wholeNumber(limit, { name: "Limit", least: -1 }) > 0 ? limit : unlimited.maxLimit,
    withCount: "false",
  },
});
