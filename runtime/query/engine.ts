/** Caches that outlive a request: the schema, the compiled plans, and checked query strings. */
import { LRUCache } from "lru-cache";
import type { Caller } from "../access/caller.ts";
import type { FieldLists } from "../access/field-lists.ts";
import type { Config } from "../config/config.ts";
import type { ContentType } from "../schema/content-type.ts";
import type { Registry } from "../schema/registry.ts";
import { UNLIMITED } from "./check/budget.ts";
import { check, type CheckOptions, type RawQuery } from "./check/check.ts";
import { CheckContext } from "./check/context.ts";
import { Cursors } from "./cursor/cursors.ts";
import { parseQuery } from "./parse.ts";
import { buildPlan } from "./plan/build-plan.ts";
import type { Plan } from "./plan/plan.ts";
import type { CheckedQuery } from "./query.ts";
import { Schema } from "./schema.ts";

/**
 * Limits of the plan cache: number of plans, and characters of all their keys. A plan takes up to 50 bytes for each of
 * them.
 */
const PLANS = { max: 1000, maxSize: 500_000 };
/** Plans with longer keys are not cached. */
const LARGEST = 10_000;
/** The same for checked queries, which keep their plans, too. */
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

class Engine {
  readonly schema: Schema;
  readonly #revealing: Schema;
  readonly #config: Config;
  readonly #cursors: Cursors;
  readonly #plans = new LRUCache<string, Plan>({ ...PLANS, sizeCalculation: (_plan, key) => key.length });
  readonly #queries = new LRUCache<string, Remembered>({
    ...QUERIES,
    sizeCalculation: ({ checked }) => checked.key.length,
  });

  constructor(registry: Registry, config: Config, lists: FieldLists, revealing: Schema, cursors: Cursors) {
    this.schema = new Schema(registry, config, { lists });
    this.#revealing = revealing;
    this.#config = config;
    this.#cursors = cursors;
  }

  /**
   * Checks a query and plans it. Reuses the result if the same query was checked for a caller with the same
   * permissions.
   */
  prepare(caller: Caller, type: ContentType, raw: RawQuery | string, options: CheckOptions): Prepared {
    const check = () => this.#check(caller, type, typeof raw === "string" ? this.#parsed(raw) : raw, options);
    // Queries from code may contain values without a text, so they cannot be cached by their text.
    if (options.code || options.limits !== undefined) return check();
    const text = typeof raw === "string" ? `?${raw}` : JSON.stringify(raw);
    if (text.length > LONGEST) return check();
    const key = `${type.uid} ${options.single} ${text}`;
    const known = this.#queries.get(key);
    if (known?.consulted.every(([action, answer]) => caller.can(action) === answer)) return known;
    const fresh = check();
    // Each cursor is used about once, so that caching would only displace other queries.
    const isRepeated = fresh.checked.cursor?.anchor === undefined;
    if (isRepeated && fresh.checked.key.length <= LARGEST) this.#queries.set(key, fresh);
    return fresh;
  }

  #parsed(text: string): RawQuery {
    return parseQuery(text, this.#config.rest.arrayLimit);
  }

  #check(caller: Caller, type: ContentType, raw: RawQuery, options: CheckOptions): Remembered {
    const isOfCode = options.code && (options.trusted === true || options.limits === undefined);
    const limits = isOfCode ? UNLIMITED : this.#config.limits;
    const schemas = { own: this.schema, revealing: this.#revealing };
    const { budget, trusted = false } = options;
    const rights = { limits, budget, isTrusted: trusted, cursors: this.#cursors };
    const context = new CheckContext(schemas, this.#config, caller, rights);
    const checked = check(context, type.uid, raw, options);
    let plan = this.#plans.get(checked.key);
    if (plan === undefined) {
      plan = buildPlan(this.schema, checked.shape);
      if (checked.key.length <= LARGEST) this.#plans.set(checked.key, plan);
    }
    return { checked, plan, consulted: [...context.consulted] };
  }
}

/** Checks and plans the queries of one server. Callers who may see the same attributes share the caches. */
export type Queries = ReturnType<typeof createQueries>;

/** For callers without restricted attributes. */
const everything: FieldLists = new Map();

/**
 * Creates the caches for the types declared in `registry`.
 *
 * @param secret encrypts cursors
 */
export const createQueries = (registry: Registry, config: Config, secret: string) => {
  const cursors = new Cursors(secret);
  const engines = new Map<FieldLists, Engine>();
  const revealed = new Schema(registry, config, { reveals: true });
  const engineOf = (lists: FieldLists): Engine => {
    let engine = engines.get(lists);
    if (engine === undefined) engines.set(lists, (engine = new Engine(registry, config, lists, revealed, cursors)));
    return engine;
  };
  return {
    cursors,
    /** Every name of the types, private ones too. */
    schema: revealed,
    prepare: (caller: Caller, type: ContentType, raw: RawQuery | string, options: CheckOptions): Prepared =>
      engineOf(caller.fields ?? everything).prepare(caller, type, raw, options),
    /**
     * Whether answers may show an attribute to the caller: it is not private, and the caller's list (if any) contains it.
     */
    shows: (caller: Caller, type: ContentType, name: string): boolean =>
      engineOf(caller.fields ?? everything)
        .schema.type(type.uid)
        .members.get(name)?.hidden === false,
  };
};
