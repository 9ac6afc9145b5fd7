/**
 * Reading: from raw parameters to rows, in a fixed number of statements. REST, the document service and GraphQL all read
 * through here, and each writes or shapes the rows for itself.
 */
import type { Caller } from "../access/caller.ts";
import type { Config } from "../config/config.ts";
import type { Database, Reader, Row } from "../database/database.ts";
import type { State } from "../database/states.ts";
import type { ContentType } from "../schema/content-type.ts";
import type { Budget } from "./check/budget.ts";
import type { RawQuery } from "./check/check.ts";
import type { PageLimits } from "./check/pagination.ts";
import type { Prepared, Queries } from "./engine.ts";
import type { Page } from "./query.ts";
import { completeRows, type Run } from "./rows/load.ts";
import type { RowSet } from "./rows/row-set.ts";
import type { Totals } from "./totals.ts";

export type { RawQuery } from "./check/check.ts";

/** What a read works with. */
export interface ReadServices {
  readonly config: Config;
  readonly database: Database;
  readonly queries: Queries;
  /** Totals that are given again; undefined where each is counted. */
  readonly totals?: Totals | undefined;
}

/** Who reads, and where. */
export interface ReadContext {
  readonly services: ReadServices;
  readonly caller: Caller;
  /** The transaction or replica to read from; the database itself when undefined. */
  readonly session?: Reader | undefined;
  /** The parameters come from code instead of a query string: unknown top-level keys are ignored. */
  readonly code?: boolean;
  /** Code of the application asks, with all rights: it may name what is private, except passwords. */
  readonly trusted?: boolean;
  /** Sizes of pages where they are not those of REST. */
  readonly limits?: PageLimits;
  /** What the request may spend. Without it a query is checked by itself, and reads as many rows as it finds. */
  readonly budget?: Budget | undefined;
  /** The session is in no transaction: it reads what is committed. So does the database itself. */
  readonly committed?: boolean;
  /** The state of the database, where it was asked for since the request came. */
  readonly state?: State | undefined;
}

/** Parameters as an object, or the query string that they stand in. */
export type Query = RawQuery | string;

/** Either `page` and `pageSize`, or `start` and `limit`; totals only when they were counted. */
export type Pagination = Readonly<
  Partial<Record<"page" | "pageSize" | "pageCount" | "start" | "limit" | "total", number>>
>;

/** A page of documents. */
export interface ManyRead {
  readonly documents: RowSet;
  readonly pagination: Pagination;
}

/** Checks and plans a query. Faults of the query are HttpErrors with status 400 or 403. */
export const prepare = (context: ReadContext, type: ContentType, raw: Query, single: boolean): Prepared => {
  const { services, caller, code = false, limits, trusted, budget } = context;
  return services.queries.prepare(caller, type, raw, { single, code, limits, trusted, budget });
};

const runOf = (
  { services, session = services.database, budget }: ReadContext,
  { checked: { parameters } }: Prepared,
): Run => ({
  session,
  budget,
  bindings: { parameters, defaultLocale: services.config.locales.default },
});

/** Reads a page of documents. */
export const readMany = async (context: ReadContext, type: ContentType, raw: Query): Promise<ManyRead> =>
  runMany(context, prepare(context, type, raw, false));

/** The same for a query that is prepared already. */
export const runMany = async (context: ReadContext, prepared: Prepared): Promise<ManyRead> => {
  const run = runOf(context, prepared);
  const { rows, total } = await readPage(prepared, run, countIn(context, prepared));
  const { plan, checked } = prepared;
  return { documents: await completeRows(run, plan.level, rows), pagination: paginationOf(checked.page, total) };
};

interface PageRead {
  readonly rows: readonly Row[];
  readonly total: number | undefined;
}

type Count = (count: () => Promise<number>) => Promise<number>;

/** How a total is come by: counted each time in transactions, and where none are kept. */
const countIn = (
  { services, session, committed = session === undefined, state }: ReadContext,
  prepared: Prepared,
): Count => {
  const { database, totals } = services;
  if (!totals || !database.state || !committed) return (count) => count();
  return (count) => totals.of(prepared, count, state);
};

const readPage = async (
  { checked: { page }, plan }: Prepared,
  { session, bindings }: Run,
  count: Count,
): Promise<PageRead> => {
  const inputs = { limit: page.limit, offset: page.start };
  const readRows = (): Promise<readonly Row[]> => plan.page.run(session, bindings, inputs);
  const readTotal = async (): Promise<number> => Number((await plan.total.run(session, bindings))[0]?.[0]);
  if (!page.withCount) return { rows: await readRows(), total: undefined };
  const { counted } = plan;
  if (counted === undefined) {
    const [rows, total] = await Promise.all([readRows(), count(readTotal)]);
    return { rows, total };
  }
  let found: readonly Row[] | undefined;
  const total = await count(async () => {
    found = await counted.statement.run(session, bindings, inputs);
    const [first] = found;
    if (first !== undefined) return Number(first[counted.totalIndex]);
    return page.start === 0 ? 0 : readTotal();
  });
  return { rows: found ?? (await readRows()), total };
};

const paginationOf = ({ start, limit, style, page }: Page, total: number | undefined): Pagination => {
  if (style === "offset") return total === undefined ? { start, limit } : { start, limit, total };
  if (total === undefined) return { page, pageSize: limit };
  return { page, pageSize: limit, pageCount: Math.ceil(total / limit), total };
};

/** How many documents match a query, in one statement. */
export const countMany = async (context: ReadContext, type: ContentType, raw: Query): Promise<number> => {
  const prepared = prepare(context, type, raw, false);
  const { session, bindings } = runOf(context, prepared);
  return countIn(context, prepared)(async () => Number((await prepared.plan.total.run(session, bindings))[0]?.[0]));
};

/** A read of one document whose query is in order. */
export interface PlannedRead {
  /** Whether it is one statement, which is sent before anything is waited for. */
  readonly isOneStatement: boolean;
  /** The document, as the only row; null when there is none that matches the query. */
  read(): Promise<RowSet | null>;
}

/** Checks and plans the read of one document by its documentId. */
export const planOne = (context: ReadContext, type: ContentType, documentId: string, raw: Query): PlannedRead => {
  const prepared = prepare(context, type, raw, true);
  return {
    isOneStatement: prepared.plan.level.members.length === 0,
    read: () => runOne(context, prepared, documentId),
  };
};

/** Reads one document by its documentId, as the only row; null when there is none that matches the query. */
export const readOne = async (
  context: ReadContext,
  type: ContentType,
  documentId: string,
  raw: Query,
): Promise<RowSet | null> => runOne(context, prepare(context, type, raw, true), documentId);

/** The same for a query that is prepared already. */
export const runOne = async (context: ReadContext, prepared: Prepared, documentId: string): Promise<RowSet | null> => {
  const { plan } = prepared;
  const run = runOf(context, prepared);
  const inputs = { documentId: documentId.replaceAll("\0", ""), limit: 1 };
  return found(run, plan, await plan.one.run(run.session, run.bindings, inputs));
};

/** Reads the document of a single type. */
export const readSingle = async (context: ReadContext, type: ContentType, raw: Query): Promise<RowSet | null> =>
  runSingle(context, prepare(context, type, raw, true));

/** The same for a query that is prepared already. */
export const runSingle = async (context: ReadContext, prepared: Prepared): Promise<RowSet | null> => {
  const { plan } = prepared;
  const run = runOf(context, prepared);
  return found(run, plan, await plan.page.run(run.session, run.bindings, { limit: 1, offset: 0 }));
};

const found = async (run: Run, { level }: Prepared["plan"], rows: readonly Row[]): Promise<RowSet | null> =>
  rows.length === 0 ? null : completeRows(run, level, rows);

/** Checks the parameters of a query for one document before something is done: the errors of `readOne`, nothing read. */
export const checkOne = (context: ReadContext, type: ContentType, raw: Query): void => {
  prepare(context, type, raw, true);
};
