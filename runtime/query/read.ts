/**
 * Reads documents: from raw parameters to rows, with a fixed number of statements per query. REST, GraphQL and the
 * document service read through here, and turn the rows into their own kind of response. A page of a list that is read
 * with cursors begins after the last entry of the previous one, however deep in the list.
 */
import type { Caller } from "../access/caller.ts";
import { textFault } from "../base/text-fault.ts";
import type { SearchMeta } from "../client/answers.ts";
import type { Config } from "../config/config.ts";
import type { Database, Reader, Row } from "../database/database.ts";
import type { ContentType } from "../schema/content-type.ts";
import { withHits } from "../search/engine.ts";
import { snippetsOf } from "../search/snippets.ts";
import type { Budget } from "./check/budget.ts";
import type { RawQuery } from "./check/check.ts";
import type { PageLimits } from "./check/context.ts";
import { completed, type Cursors, isKnown, type KnownAnchor } from "./cursor/cursors.ts";
import type { Prepared, Queries } from "./engine.ts";
import type { Page } from "./query.ts";
import { completeRows, type Run } from "./rows/load.ts";
import type { RowSet } from "./rows/row-set.ts";
import type { Inputs } from "./sql/compile.ts";

/** The rows of a page, and the cursor of its last row if there are more. */
interface WalkedPage {
  readonly rows: readonly Row[];
  /** Null after the last page; undefined if the page is not read with cursors. */
  readonly after?: string | null;
}

const textsOf = (values: Row): KnownAnchor["values"] => values.map((value) => (value === null ? null : String(value)));

/** The entry after which the page begins, with all of its values. Most cursors hold them. */
const anchorOf = async ({ checked, plan }: Prepared, { session, bindings }: Run): Promise<KnownAnchor | undefined> => {
  const anchor = checked.cursor?.anchor;
  if (anchor === undefined || isKnown(anchor)) return anchor;
  const [values] = (await plan.walk?.values?.run(session, bindings, { anchor: { ...anchor, values: [] } })) ?? [];
  return completed(anchor, values && textsOf(values));
};

/**
 * Reads a page, and one row beyond it to know whether there are more.
 *
 * @throws ValidationError if the cursor's values were too long for it, and its entry has changed since
 */
const readWalk = async (prepared: Prepared, run: Run, cursors: Cursors): Promise<WalkedPage> => {
  const { checked, plan } = prepared;
  const { cursor, page, shape } = checked;
  if (cursor === undefined || plan.walk === undefined) throw new Error("This list is not read with cursors");
  const anchor = await anchorOf(prepared, run);
  const inputs: Inputs = { limit: page.limit + 1, ...(anchor ? { anchor } : {}) };
  const found = await plan.page.run(run.session, run.bindings, inputs);
  const rows = found.slice(0, page.limit);
  const last = rows.at(-1);
  if (last === undefined || found.length === rows.length) return { rows, after: null };
  const { firstValue } = plan.walk;
  const values = textsOf(last.slice(firstValue, firstValue + shape.sort.length));
  return { rows, after: cursors.write(cursor.list, { id: Number(last[plan.level.idIndex]), values }) };
};

export type { RawQuery } from "./check/check.ts";

/** The services that reading needs. */
export interface ReadServices {
  readonly config: Config;
  readonly database: Database;
  readonly queries: Queries;
}

/** The context of a read: the caller, and where to read from. */
export interface ReadContext {
  readonly services: ReadServices;
  readonly caller: Caller;
  /** The transaction or replica to read from; by default the database itself. */
  readonly session?: Reader | undefined;
  /** Whether the parameters come from code: unknown top-level keys are then ignored. */
  readonly code?: boolean;
  /** Whether application code with all rights reads: it may name private attributes, except passwords. */
  readonly trusted?: boolean;
  /** Whether a client reads; for clients, locales fall back as configured. */
  readonly fallsBack?: boolean;
  /** Page limits, if not those of REST. */
  readonly limits?: PageLimits;
  /** The request's budget. Without one, only this query is limited, and its number of rows is not. */
  readonly budget?: Budget | undefined;
}

/** Query parameters, as an object or as a query string. */
export type Query = RawQuery | string;

/** The pagination in a response: `page` and `pageSize`, or `start` and `limit`; totals only if they were counted. */
export interface Pagination extends Readonly<
  Partial<Record<"page" | "pageSize" | "pageCount" | "start" | "limit" | "total", number>>
> {
  /** For lists read with cursors: where the next page begins, or null after the last one. */
  readonly after?: string | null;
}

/** A page of documents. */
export interface ManyRead {
  readonly documents: RowSet;
  readonly pagination: Pagination;
  /** The query that found them. */
  readonly ran: Prepared;
}

/** Checks and plans a query, before a write too. Throws an HttpError (400 or 403) for an invalid query. */
export const prepare = (context: ReadContext, type: ContentType, raw: Query, single: boolean): Prepared => {
  const { services, caller, code = false, fallsBack, limits, trusted, budget } = context;
  return services.queries.prepare(caller, type, raw, { single, code, fallsBack, limits, trusted, budget });
};

const runOf = (
  { services, session = services.database, budget }: ReadContext,
  { checked: { parameters, costLimit } }: Prepared,
): Run => {
  const embedded = services.database.kind === "pglite" ? services.database : undefined;
  const defaultLocale = services.config.locales.default;
  return {
    session,
    budget,
    bindings: { parameters, defaultLocale, costLimit: costLimit && { ...costLimit, embedded } },
  };
};

/** Reads a page of documents. */
export const readMany = async (context: ReadContext, type: ContentType, raw: Query): Promise<ManyRead> =>
  runMany(context, prepare(context, type, raw, false));

/** The query for words with a typo; undefined if a query has no such words. */
const mistakenOf = (prepared: Prepared): Prepared | undefined => {
  const { checked } = prepared;
  const { search } = checked.shape;
  if (search?.kind !== "words" || search.typos === undefined) return undefined;
  return { ...prepared, checked: { ...checked, parameters: checked.parameters.with(search.typos, true) } };
};

/** The query with what an engine outside has found, where it is asked. */
const askedOutside = async ({ services: { config } }: ReadContext, prepared: Prepared): Promise<Prepared> => {
  const { checked } = prepared;
  const { search, level } = checked.shape;
  const parameters =
    search?.kind === "words" && (await withHits(config.search.engine, level.uid, search, checked.parameters));
  return parameters ? { ...prepared, checked: { ...checked, parameters } } : prepared;
};

/** Reads a page by a prepared query; if its list is empty, that of words with a typo. */
export const runMany = async (context: ReadContext, prepared: Prepared): Promise<ManyRead> => {
  const found = await runList(context, await askedOutside(context, prepared));
  const mistaken = found.documents.rows.length === 0 && mistakenOf(prepared);
  if (!mistaken || (found.pagination.total ?? (await readTotal(prepared, runOf(context, prepared)))) > 0) return found;
  return runList(context, mistaken);
};

const runList = async (context: ReadContext, prepared: Prepared): Promise<ManyRead> => {
  const run = runOf(context, prepared);
  const { plan, checked } = prepared;
  const { page, cursor } = checked;
  const [{ rows, after }, total] = await Promise.all([
    cursor ? readWalk(prepared, run, context.services.queries.cursors) : readPage(prepared, run),
    page.withCount ? readTotal(prepared, run) : undefined,
  ]);
  const documents = await completeRows(run, plan.level, rows);
  return { documents, pagination: paginationOf(page, total, after), ran: prepared };
};

/**
 * Reads what a query wants to know of the documents that it has found; undefined if nothing.
 *
 * @param documents the page; null if texts may differ from what the caller sees
 */
export const searchMetaOf = async (
  context: ReadContext,
  prepared: Prepared,
  documents: RowSet | null,
): Promise<SearchMeta | undefined> => {
  const { facets, snippets } = prepared.plan;
  if (facets.length === 0 && !snippets) return undefined;
  const { session, bindings } = runOf(context, prepared);
  const countsOf = async ([name, statement]: Prepared["plan"]["facets"][number]) => {
    const counts = await statement.run(session, bindings);
    return [name, counts.map(([value, count]) => ({ value: String(value), count: Number(count) }))] as const;
  };
  const keys = documents?.rows.map((row) => Number(row[documents.level.idIndex])) ?? [];
  const [texts, counted] = await Promise.all([
    documents && snippets?.run(session, bindings, { keys }),
    Promise.all(facets.map(countsOf)),
  ]);
  return {
    ...(texts ? { snippets: snippetsOf(keys, texts) } : {}),
    ...(facets.length > 0 ? { facets: Object.fromEntries(counted) } : {}),
  };
};

const readTotal = async ({ plan }: Pick<Prepared, "plan">, { session, bindings }: Run): Promise<number> =>
  Number((await plan.total.run(session, bindings))[0]?.[0]);

/** A page found by its number; a page read with a cursor has an `after`. */
const readPage = async ({ checked: { page }, plan }: Prepared, run: Run): Promise<WalkedPage> => ({
  rows: await plan.page.run(run.session, run.bindings, { limit: page.limit, offset: page.start }),
});

const paginationOf = (
  { start, limit, style, page }: Page,
  total: number | undefined,
  after: string | null | undefined,
): Pagination => {
  if (after !== undefined) {
    const size = style === "offset" ? { limit } : { pageSize: limit };
    return { ...size, after, ...(total === undefined ? {} : { total }) };
  }
  if (style === "offset") return total === undefined ? { start, limit } : { start, limit, total };
  if (total === undefined) return { page, pageSize: limit };
  return { page, pageSize: limit, pageCount: Math.ceil(total / limit), total };
};

/** Counts the documents that match a query. */
export const countMany = async (context: ReadContext, type: ContentType, raw: Query): Promise<number> => {
  const prepared = prepare(context, type, raw, false);
  const mistaken = mistakenOf(prepared);
  const total = await readTotal(prepared, runOf(context, await askedOutside(context, prepared)));
  return total === 0 && mistaken ? readTotal(mistaken, runOf(context, mistaken)) : total;
};

/** Reads one document by a checked query. */
export interface PlannedRead {
  /** Whether the read is a single statement, sent before anything is awaited. */
  readonly isOneStatement: boolean;
  /** The document as the only row; null if none matches the query. */
  run(): Promise<RowSet | null>;
}

/** Checks and plans the read of one document that is known to be there. */
export const planOne = (context: ReadContext, type: ContentType, documentId: string, raw: Query): PlannedRead => {
  const prepared = prepare(context, type, raw, true);
  return {
    isOneStatement: prepared.plan.level.members.length === 0,
    run: () => runById(context, prepared, documentId),
  };
};

/** Reads one document by its documentId, as the only row; null if none matches the query. */
export const readOne = async (
  context: ReadContext,
  type: ContentType,
  documentId: string,
  raw: Query,
): Promise<RowSet | null> => runOne(context, prepare(context, type, raw, true), documentId);

/** Reads one document by a prepared query. */
export const runOne = async (context: ReadContext, prepared: Prepared, documentId: string): Promise<RowSet | null> =>
  textFault(documentId) === undefined ? runById(context, prepared, documentId) : null;

/** The same for an id that the database can compare. */
const runById = async (context: ReadContext, prepared: Prepared, documentId: string): Promise<RowSet | null> => {
  const { plan } = prepared;
  const run = runOf(context, prepared);
  return found(run, plan, await plan.one.run(run.session, run.bindings, { documentId, limit: 1 }));
};

/** Reads the document of a single type. */
export const readSingle = async (context: ReadContext, type: ContentType, raw: Query): Promise<RowSet | null> =>
  runSingle(context, prepare(context, type, raw, true));

/** Reads the document of a single type by a prepared query. */
export const runSingle = async (context: ReadContext, prepared: Prepared): Promise<RowSet | null> => {
  const { plan } = prepared;
  const run = runOf(context, prepared);
  return found(run, plan, await plan.page.run(run.session, run.bindings, { limit: 1, offset: 0 }));
};

const found = async (run: Run, { level }: Prepared["plan"], rows: readonly Row[]): Promise<RowSet | null> =>
  rows.length === 0 ? null : completeRows(run, level, rows);
