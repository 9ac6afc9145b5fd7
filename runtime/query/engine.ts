/** What is kept between requests: the schema, the plans of shapes, and query strings that were checked before. */
import { LRUCache } from "lru-cache";
import type { Caller } from "../access/caller.ts";
import type { FieldLists } from "../access/field-lists.ts";
import type { Config } from "../config/config.ts";
import type { ContentType } from "../schema/content-type.ts";
import type { Registry } from "../schema/registry.ts";
import { check, type CheckOptions, type RawQuery } from "./check/check.ts";
import { CheckContext } from "./check/context.ts";
import { UNLIMITED } from "./check/query-size.ts";
import { parseQuery } from "./parse.ts";
import { buildPlan } from "./plan/build-plan.ts";
import type { Plan } from "./plan/plan.ts";
import type { CheckedQuery } from "./query.ts";
import { Schema } from "./schema.ts";

/** Plans kept, by shape, and the characters that all their shapes have. What a plan weighs goes with its shape. */
const PLANS = { max: 1000, maxSize: 2_000_000 };
/** A shape with more characters is planned every time. */
const LARGEST = 10_000;
/** Queries kept, and the characters of their shapes. Longer ones are checked every time. */
const QUERIES = { max: 1000, maxSize: 2_000_000 };
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
  readonly #plans = new LRUCache<string, Plan>({ ...PLANS, sizeCalculation: (_plan, key) => key.length });
  readonly #queries = new LRUCache<string, Remembered>({
    ...QUERIES,
    sizeCalculation: ({ checked }) => checked.key.length,
  });

  constructor(registry: Registry, config: Config, lists: FieldLists, revealing: Schema) {
    this.schema = new Schema(registry, config, { lists });
    this.#revealing = revealing;
    this.#config = config;
  }

  /** Checks a query and plans it; one that was checked for a caller with the same permissions is known. */
  prepare(caller: Caller, type: ContentType, raw: RawQuery | string, options: CheckOptions): Prepared {
    const check = () => this.#check(caller, type, typeof raw === "string" ? this.#parsed(raw) : raw, options);
    // Code may pass values that have no text of their own.
    if (options.code || options.limits !== undefined) return check();
    const text = typeof raw === "string" ? `?${raw}` : JSON.stringify(raw);
    if (text.length > LONGEST) return check();
    const key = `${type.uid} ${options.single} ${text}`;
    const known = this.#queries.get(key);
    if (known?.consulted.every(([action, answer]) => caller.can(action) === answer)) return known;
    const fresh = check();
    if (fresh.checked.key.length <= LARGEST) this.#queries.set(key, fresh);
    return fresh;
  }

  #parsed(text: string): RawQuery {
    return parseQuery(text, this.#config.rest.arrayLimit);
  }

  #check(caller: Caller, type: ContentType, raw: RawQuery, options: CheckOptions): Remembered {
    const isOfCode = options.code && options.limits === undefined;
    const limits = isOfCode ? UNLIMITED : this.#config.limits;
    const schemas = { own: this.schema, revealing: this.#revealing };
    const { budget, trusted = false } = options;
    const context = new CheckContext(schemas, this.#config, caller, { limits, budget, isTrusted: trusted });
    const checked = check(context, type.uid, raw, options);
    let plan = this.#plans.get(checked.key);
    if (plan === undefined) {
      plan = buildPlan(this.schema, checked.shape);
      if (checked.key.length <= LARGEST) this.#plans.set(checked.key, plan);
    }
    return { checked, plan, consulted: [...context.consulted] };
  }
}

/** Checks and plans the queries of one running server: callers who see the same attributes share what was worked out. */
export interface Queries {
  prepare: Engine["prepare"];
  /** Whether answers may show an attribute of a type to the caller: it is not private, and their list has it. */
  shows(caller: Caller, type: ContentType, name: string): boolean;
}

/** For callers who may see everything. */
const everything: FieldLists = new Map();

/** Queries about what `registry` declares. */
export const createQueries = (registry: Registry, config: Config): Queries => {
  const engines = new Map<FieldLists, Engine>();
  const revealed = new Schema(registry, config, { reveals: true });
  const engineOf = (lists: FieldLists): Engine => {
    let engine = engines.get(lists);
    if (engine === undefined) engines.set(lists, (engine = new Engine(registry, config, lists, revealed)));
    return engine;
  };
  return {
    prepare: (caller, type, raw, options) => engineOf(caller.fields ?? everything).prepare(caller, type, raw, options),
    shows: (caller, type, name) =>
      engineOf(caller.fields ?? everything)
        .schema.type(type.uid)
        .members.get(name)?.hidden === false,
  };
};
