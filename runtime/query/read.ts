/**
 * Reading: from raw parameters to JSON text, in a fixed number of statements. REST, the document service and GraphQL
 * all read through here.
 */
import type { Caller } from "../access/caller.ts";
import type { Config } from "../config/config.ts";
import type { Database, Reader, Row } from "../database/database.ts";
import type { ContentType } from "../schema/content-type.ts";
import type { RawQuery } from "./check/check.ts";
import type { PageLimits } from "./check/pagination.ts";
import type { Prepared, Queries } from "./engine.ts";
import { LevelRead } from "./execute/level-read.ts";
import type { Run } from "./execute/run.ts";
import type { Page } from "./query.ts";

export type { RawQuery } from "./check/check.ts";

/** What a read works with. */
export interface ReadServices {
  readonly config: Config;
  readonly database: Database;
  readonly queries: Queries;
}

/** Who reads, and where. */
export interface ReadContext {
  readonly services: ReadServices;
  readonly caller: Caller;
  /** The transaction or replica to read from; the database itself when undefined. */
  readonly session?: Reader | undefined;
  /** The nested response format (`Strapi-Response-Format: v4`). */
  readonly nested?: boolean;
  /** The parameters come from code instead of a query string: unknown top-level keys are ignored. */
  readonly code?: boolean;
  /** Sizes of pages where they are not those of REST. */
  readonly limits?: PageLimits;
}

/** Parameters as an object, or the query string that they stand in. */
export type Query = RawQuery | string;

/** Either `page` and `pageSize`, or `start` and `limit`; totals only when they were counted. */
export type Pagination = Readonly<
  Partial<Record<"page" | "pageSize" | "pageCount" | "start" | "limit" | "total", number>>
>;

export interface ManyRead {
  /** The documents as the text of a JSON array. */
  readonly json: string;
  readonly pagination: Pagination;
}

const prepare = (context: ReadContext, type: ContentType, raw: Query, single: boolean): Prepared & { run: Run } => {
  const { services, caller, session = services.database, nested = false, code = false, limits } = context;
  const { config, queries } = services;
  const { checked, plan } = queries.prepare(caller, type, raw, { single, nested, code, limits });
  const bindings = { parameters: checked.parameters, defaultLocale: config.locales.default };
  return { checked, plan, run: { session, bindings, nested } };
};

/** Reads a page of documents. Faults of the query are HttpErrors with status 400 or 403. */
export const readMany = async (context: ReadContext, type: ContentType, raw: Query): Promise<ManyRead> => {
  const prepared = prepare(context, type, raw, false);
  const { rows, total } = await readPage(prepared);
  const { plan, run, checked } = prepared;
  const read = await LevelRead.load(run, plan.level, rows);
  return { json: read.list(), pagination: paginationOf(checked.page, total) };
};

interface PageRead {
  readonly rows: readonly Row[];
  readonly total: number | undefined;
}

const readPage = async ({ checked: { page }, plan, run }: Prepared & { run: Run }): Promise<PageRead> => {
  const inputs = { limit: page.limit, offset: page.start };
  const { session, bindings } = run;
  if (!page.withCount) return { rows: await plan.page.run(session, bindings, inputs), total: undefined };
  if (plan.counted === undefined) {
    const [rows, totals] = await Promise.all([
      plan.page.run(session, bindings, inputs),
      plan.total.run(session, bindings),
    ]);
    return { rows, total: Number(totals[0]?.[0]) };
  }
  const rows = await plan.counted.statement.run(session, bindings, inputs);
  const [first] = rows;
  if (first !== undefined) return { rows, total: Number(first[plan.counted.totalIndex]) };
  if (page.start === 0) return { rows, total: 0 };
  const totals = await plan.total.run(session, bindings);
  return { rows, total: Number(totals[0]?.[0]) };
};

const paginationOf = ({ start, limit, style, page }: Page, total: number | undefined): Pagination => {
  if (style === "offset") return total === undefined ? { start, limit } : { start, limit, total };
  if (total === undefined) return { page, pageSize: limit };
  return { page, pageSize: limit, pageCount: Math.ceil(total / limit), total };
};

/** A read of one document whose query is in order. */
export interface PlannedRead {
  /** Whether it is one statement, which is sent before anything is waited for. */
  readonly isOneStatement: boolean;
  /** The document as JSON text; null when there is none that matches the query. */
  read(): Promise<string | null>;
}

/** Checks and plans the read of one document by its documentId. */
export const planOne = (context: ReadContext, type: ContentType, documentId: string, raw: Query): PlannedRead => {
  const { plan, run } = prepare(context, type, raw, true);
  const inputs = { documentId: documentId.replaceAll("\0", ""), limit: 1 };
  return {
    isOneStatement: plan.level.members.length === 0,
    read: async () => firstText(plan, run, await plan.one.run(run.session, run.bindings, inputs)),
  };
};

/** Reads one document by its documentId, as JSON text; null when there is none that matches the query. */
export const readOne = async (
  context: ReadContext,
  type: ContentType,
  documentId: string,
  raw: Query,
): Promise<string | null> => planOne(context, type, documentId, raw).read();

/** Reads the document of a single type. */
export const readSingle = async (context: ReadContext, type: ContentType, raw: Query): Promise<string | null> => {
  const { plan, run } = prepare(context, type, raw, true);
  return firstText(plan, run, await plan.page.run(run.session, run.bindings, { limit: 1, offset: 0 }));
};

const firstText = async (plan: Prepared["plan"], run: Run, rows: readonly Row[]): Promise<string | null> => {
  if (rows.length === 0) return null;
  const read = await LevelRead.load(run, plan.level, rows);
  return read.text(0);
};

/** Checks the parameters of a query for one document before something is done: the errors of `readOne`, nothing read. */
export const checkOne = (context: ReadContext, type: ContentType, raw: Query): void => {
  prepare(context, type, raw, true);
};
