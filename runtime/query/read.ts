/**
 * Reading: from raw parameters to JSON text, in a fixed number of statements. REST, the document service and GraphQL
 * all read through here.
 */
import { LRUCache } from "lru-cache";
import type { Caller } from "../auth/caller.ts";
import type { ContentType } from "../content-type.ts";
import type { Session } from "../database/database.ts";
import type { Services } from "../services.ts";
import { check, type CheckOptions, type RawQuery } from "./check/check.ts";
import { CheckContext } from "./check/context.ts";
import { LevelRead } from "./execute/level-read.ts";
import type { Run } from "./execute/run.ts";
import { buildPlan } from "./plan/build-plan.ts";
import type { Plan } from "./plan/plan.ts";
import type { CheckedQuery, Page } from "./query.ts";
import { Schema } from "./schema.ts";

export type { RawQuery } from "./check/check.ts";

type ReadServices = Pick<Services, "config" | "database" | "registry">;

/** Who reads, and where. */
export interface ReadContext {
  readonly services: ReadServices;
  readonly caller: Caller;
  /** The transaction to read in; the database itself when undefined. */
  readonly session?: Session | undefined;
  /** The nested response format (`Strapi-Response-Format: v4`). */
  readonly nested?: boolean;
  /** The parameters come from code instead of a query string: unknown top-level keys are ignored. */
  readonly code?: boolean;
}

/** Either `page` and `pageSize`, or `start` and `limit`; totals only when they were counted. */
export type Pagination = Readonly<
  Partial<Record<"page" | "pageSize" | "pageCount" | "start" | "limit" | "total", number>>
>;

export interface ManyRead {
  /** The documents as the text of a JSON array. */
  readonly json: string;
  readonly pagination: Pagination;
}

interface Engine {
  readonly schema: Schema;
  readonly plans: LRUCache<string, Plan>;
}

const PLANS = 1000;

const engines = new WeakMap<ReadServices["registry"], Engine>();

/** The engine of one application: what is declared, and the plans of the shapes that were read last. */
const engineOf = ({ registry, config }: ReadServices): Engine => {
  let engine = engines.get(registry);
  if (engine === undefined) {
    engine = { schema: new Schema(registry, config), plans: new LRUCache({ max: PLANS }) };
    engines.set(registry, engine);
  }
  return engine;
};

interface Prepared {
  readonly checked: CheckedQuery;
  readonly plan: Plan;
  readonly run: Run;
}

const prepare = (context: ReadContext, type: ContentType, raw: RawQuery, single: boolean): Prepared => {
  const { services, caller, session = services.database, nested = false, code = false } = context;
  const { schema, plans } = engineOf(services);
  const options: CheckOptions = { single, nested, code };
  const checked = check(new CheckContext(schema, services.config, caller), type.uid, raw, options);
  let plan = plans.get(checked.key);
  if (plan === undefined) {
    plan = buildPlan(schema, checked.shape);
    plans.set(checked.key, plan);
  }
  const bindings = { parameters: checked.parameters, defaultLocale: services.config.locales.default };
  return { checked, plan, run: { session, bindings, nested } };
};

/** Reads a page of documents. Faults of the query are HttpErrors with status 400 or 403. */
export const readMany = async (context: ReadContext, type: ContentType, raw: RawQuery): Promise<ManyRead> => {
  const { checked, plan, run } = prepare(context, type, raw, false);
  const { page } = checked;
  const [rows, total] = await Promise.all([
    plan.page.run(run.session, run.bindings, { limit: page.limit, offset: page.start }),
    page.withCount ? plan.total.run(run.session, run.bindings) : undefined,
  ]);
  const read = await LevelRead.load(run, plan.level, rows);
  const json = `[${rows.map((_, index) => read.text(index)).join(",")}]`;
  return { json, pagination: paginationOf(page, total && Number(total[0]?.[0])) };
};

const paginationOf = ({ start, limit, style, page }: Page, total: number | undefined): Pagination => {
  if (style === "offset") return total === undefined ? { start, limit } : { start, limit, total };
  if (total === undefined) return { page, pageSize: limit };
  return { page, pageSize: limit, pageCount: Math.ceil(total / limit), total };
};

/** Reads one document by its documentId, as JSON text; null when there is none that matches the query. */
export const readOne = async (
  context: ReadContext,
  type: ContentType,
  documentId: string,
  raw: RawQuery,
): Promise<string | null> => {
  const { plan, run } = prepare(context, type, raw, true);
  const rows = await plan.one.run(run.session, run.bindings, { documentId: documentId.replaceAll("\0", ""), limit: 1 });
  return firstText(plan, run, rows);
};

/** Reads the document of a single type. */
export const readSingle = async (context: ReadContext, type: ContentType, raw: RawQuery): Promise<string | null> => {
  const { plan, run } = prepare(context, type, raw, true);
  const rows = await plan.page.run(run.session, run.bindings, { limit: 1, offset: 0 });
  return firstText(plan, run, rows);
};

const firstText = async (plan: Plan, run: Run, rows: Parameters<typeof LevelRead.load>[2]): Promise<string | null> => {
  if (rows.length === 0) return null;
  const read = await LevelRead.load(run, plan.level, rows);
  return read.text(0);
};
