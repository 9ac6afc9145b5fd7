/** Caches that outlive a request: the schema, the compiled plans, and checked query strings. */
import { LRUCache } from "lru-cache";
import type { Caller } from "../access/caller.ts";
import type { FieldLists } from "../access/field-lists.ts";
import type { RowAccess } from "../access/row-rules.ts";
import { remembering } from "../base/remembering.ts";
import type { Config } from "../config/config.ts";
import type { Parameter } from "../database/database.ts";
import type { ContentType } from "../schema/content-type.ts";
import type { Registry } from "../schema/registry.ts";
import { demandRules } from "./check-rules.ts";
import { check, type RawQuery } from "./check/check.ts";
import { CheckContext, type CheckOptions } from "./check/context.ts";
import { Cursors } from "./cursor/cursors.ts";
import { parseQuery } from "./parse.ts";
import { buildPlan } from "./plan/build-plan.ts";
import type { Plan } from "./plan/plan.ts";
import type { CheckedQuery } from "./query.ts";
import { rowConditions, type RowConditions, type RowLimit } from "./row-conditions.ts";
import { Schema } from "./schema.ts";

/**
 * Limits of the plan cache: the number of plans, and the total characters of their keys. A plan takes up to 50 bytes
 * per character.
 */
const PLANS = { max: 1000, maxSize: 500_000 };
/** Plans with longer keys are not cached. */
const LARGEST = 10_000;
/** The same for checked queries, which also hold their plans. */
const QUERIES = { max: 1000, maxSize: 500_000 };
/** Longer queries are not cached. */
const LONGEST = 2000;

export interface Prepared {
  readonly checked: CheckedQuery;
  readonly plan: Plan;
}

interface Remembered extends Prepared {
  readonly consulted: readonly (readonly [action: string, answer: boolean])[];
}

/** What the queries of one server share. */
interface Common {
  readonly registry: Registry;
  readonly config: Config;
  readonly cursors: Cursors;
  /** Every name of the types, including private ones. */
  readonly revealing: Schema;
  /** The rows that a caller may act upon; undefined if no rule restricts them. */
  rowsOf(caller: Caller): RowConditions | undefined;
}

/** A prepared query with the values of this caller's rules, which precede its own. */
const withValues = (known: Remembered, values: readonly Parameter[]): Remembered => {
  if (values.length === 0) return known;
  const { checked } = known;
  const parameters = [...values, ...checked.parameters.slice(values.length)];
  return { ...known, checked: { ...checked, parameters } };
};

/** The caches for callers who may see the same attributes, and whose rules for reading differ only in values. */
const createEngine = (common: Common, lists: FieldLists, rows?: RowConditions) => {
  const { registry, config, cursors, revealing, rowsOf } = common;
  const schema = new Schema(registry, config, { lists, rows: rows && { of: rows.of, schema: revealing } });
  const plans = new LRUCache<string, Plan>({ ...PLANS, sizeCalculation: (_plan, key) => key.length });
  const queries = new LRUCache<string, Remembered>({
    ...QUERIES,
    sizeCalculation: ({ checked }) => checked.key.length,
  });
  const prepare = (caller: Caller, { uid }: ContentType, raw: RawQuery, options: CheckOptions): Remembered => {
    const parameters = rowsOf(caller)?.parameters;
    const context = new CheckContext({ own: schema, revealing }, config, caller, { ...options, cursors, parameters });
    const checked = check(context, uid, raw, options);
    let plan = plans.get(checked.key);
    if (plan === undefined) {
      plan = buildPlan(schema, checked.shape);
      if (checked.key.length <= LARGEST) plans.set(checked.key, plan);
    }
    return { checked, plan, consulted: [...context.consulted] };
  };
  return {
    schema,
    /**
     * Checks and plans a query. Reuses the result if the same query was checked for a caller with the same permissions.
     */
    prepare(caller: Caller, type: ContentType, raw: RawQuery | string, options: CheckOptions): Prepared {
      const fresh = () =>
        prepare(caller, type, typeof raw === "string" ? parseQuery(raw, config.rest.arrayLimit) : raw, options);
      // Queries from code may contain values without a text, so the text cannot be the cache key.
      if (options.code || options.limits !== undefined) return fresh();
      const text = typeof raw === "string" ? `?${raw}` : JSON.stringify(raw);
      if (text.length > LONGEST) return fresh();
      const key = `${type.uid} ${options.single} ${options.fallsBack} ${text}`;
      const known = queries.get(key);
      if (known?.consulted.every(([action, answer]) => caller.can(action) === answer))
        return withValues(known, rowsOf(caller)?.parameters ?? []);
      const prepared = fresh();
      // Each cursor is used about once, so caching would only evict other queries.
      const isRepeated = prepared.checked.cursor?.anchor === undefined;
      if (isRepeated && prepared.checked.key.length <= LARGEST) queries.set(key, prepared);
      return prepared;
    },
  };
};

/** Checks and plans the queries of one server. Callers who may see the same attributes share the caches. */
export type Queries = ReturnType<typeof createQueries>;

/** For callers without restricted attributes. */
const everything: FieldLists = new Map();

/** Maximum number of condition shapes with caches. */
const SHAPES = 50;

/** Finds the caches for a caller. */
const enginesOf = (common: Common) => {
  const whole = remembering((lists: FieldLists) => createEngine(common, lists));
  const limited = remembering((_lists: FieldLists) => new LRUCache<string, ReturnType<typeof whole>>({ max: SHAPES }));
  return (caller: Caller) => {
    const { fields = everything } = caller;
    const rows = common.rowsOf(caller);
    if (!rows) return whole(fields);
    const known = limited(fields);
    const engine = known.get(rows.shape) ?? createEngine(common, fields, rows);
    known.set(rows.shape, engine);
    return engine;
  };
};

/**
 * Creates the caches for the types declared in `registry`.
 *
 * @param secret encrypts cursors
 * @throws ConfigError for rules that cannot hold
 */
export const createQueries = (registry: Registry, config: Config, secret: string) => {
  const cursors = new Cursors(secret);
  const revealing = new Schema(registry, config, { reveals: true });
  const known = { config, cursors, revealing };
  demandRules(known);
  const conditionsOf = remembering((rows: RowAccess) => rowConditions(known, rows));
  const rowsOf = ({ rows }: Caller): RowConditions | undefined => rows && conditionsOf(rows);
  const engineFor = enginesOf({ registry, ...known, rowsOf });
  return {
    cursors,
    schema: revealing,
    /** The rows of a type that the caller's rules allow for an action; undefined if they allow all. */
    limitFor: (caller: Caller, { uid }: ContentType, action: string, inLocales = true): RowLimit | undefined =>
      rowsOf(caller)?.limitFor(uid, action, inLocales),
    prepare: (caller: Caller, type: ContentType, raw: RawQuery | string, options: CheckOptions): Prepared =>
      engineFor(caller).prepare(caller, type, raw, options),
    /**
     * Whether responses may show an attribute to the caller: it is not private, and is in the caller's list, if there
     * is one.
     */
    shows: (caller: Caller, { uid }: ContentType, name: string): boolean =>
      engineFor(caller).schema.type(uid).members.get(name)?.hidden === false,
  };
};
