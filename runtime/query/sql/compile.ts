import { type SQL, sql, type SQLWrapper } from "drizzle-orm";
import { z } from "zod";
import { compile as compileStatement, type Parameter, type Reader, type Row } from "../../database/database.ts";
import { refuse } from "../check/position.ts";
import type { KnownAnchor } from "../cursor/cursors.ts";
import type { CostLimit, Slot } from "../query.ts";

const node = z.object({
  "Node Type": z.string(),
  "Total Cost": z.number(),
  "Plan Rows": z.number(),
  get Plans() {
    return z.array(node).optional();
  },
});
type Node = z.infer<typeof node>;

const explained = z.tuple([z.object({ Plan: node })]);

const planOf = async (session: Reader, text: string, values: readonly Parameter[]): Promise<Node> => {
  const [row] = await session.rows(`explain (format json) ${text}`, values);
  return explained.parse(JSON.parse(String(row?.[0])))[0].Plan;
};

/** Steps that read their rows again from memory. */
const REMEMBERED: ReadonlySet<string> = new Set(["Materialize", "Memoize"]);

/** The cost of a plan when nothing is found: PostgreSQL expects a search for one match, or a page, to stop early. */
const worstCost = ({ "Node Type": type, "Total Cost": total, Plans: plans = [] }: Node): number => {
  const [outer, inner] = plans;
  if (type === "Nested Loop" && outer && inner && !REMEMBERED.has(inner["Node Type"]))
    return Math.max(total, worstCost(outer) + outer["Plan Rows"] * worstCost(inner));
  return plans.reduce((most, plan) => Math.max(most, worstCost(plan)), total);
};

/** Divides `limits.queryCost` for the embedded database, which is slower and serves nobody else meanwhile. */
const EMBEDDED_PART = 2;

/** When the statistics of an embedded database were last refreshed. */
const renewed = new WeakMap<object, number>();
const MILLISECONDS = 60_000;

/** Refreshes the statistics behind the estimates, at most once a minute. A PostgreSQL server does so by itself. */
const renew = async (session: Reader, embedded: object): Promise<void> => {
  const now = performance.now();
  if (now - (renewed.get(embedded) ?? -MILLISECONDS) < MILLISECONDS) return;
  renewed.set(embedded, now);
  await session.rows("analyze");
};

/**
 * Asks PostgreSQL what a statement would cost.
 *
 * @throws ValidationError when it exceeds `limits.queryCost`
 */
const refuseCostly = async (
  session: Reader,
  text: string,
  values: readonly Parameter[],
  limit: CostLimit,
): Promise<void> => {
  const { embedded } = limit;
  if (embedded !== undefined) await renew(session, embedded);
  const cost = worstCost(await planOf(session, text, values));
  const most = embedded === undefined ? limit.most : limit.most / EMBEDDED_PART;
  if (cost <= most) return;
  const what = `PostgreSQL estimates a cost of up to ${Math.round(cost)}, and the limit is ${most}`;
  refuse(limit.at, what, "limits.queryCost");
};

/** Values of one statement that do not come from the query. */
export interface Inputs {
  readonly keys?: readonly (string | number)[];
  readonly locales?: readonly string[];
  /** For each key, the one version that its link leads to, or null. */
  readonly versions?: readonly (string | null)[];
  /** For each key, the number of its list. */
  readonly lists?: readonly number[];
  readonly documentId?: string;
  readonly limit?: number;
  readonly offset?: number;
  /** The entry after which a page begins. */
  readonly anchor?: KnownAnchor;
}

/** The values that all statements of one request share. */
export interface Bindings {
  readonly parameters: readonly Parameter[];
  readonly defaultLocale: string;
  /** The maximum estimated cost of a statement; undefined for no limit. */
  readonly costLimit?: CostLimit | undefined;
}

export interface Statement {
  readonly text: string;
  /** The values of `$1`, `$2`, ... in one run. */
  values(bindings: Bindings, inputs?: Inputs): readonly Parameter[];
  run(session: Reader, bindings: Bindings, inputs?: Inputs): Promise<readonly Row[]>;
}

type Getter = (bindings: Bindings, inputs: Inputs) => Parameter;

/** A placeholder for a value of the query. */
export const slot = (index: Slot): SQL => sql`${sql.placeholder(`value:${index}`)}`;

/** A placeholder for a sort value of the entry after which a page begins. */
export const anchorValue = (index: number): SQL => sql`${sql.placeholder(`anchor:${index}`)}`;

/** The default locale, under a name that no attribute can have: statements that write have values by attribute, too. */
type DefaultLocale = "default:locale";

/** A placeholder for a value that is known when the statement runs. */
export const input = (name: keyof Inputs | DefaultLocale): SQL => sql`${sql.placeholder(name)}`;

/** How to find values that do not come from the query, by the names of their placeholders. */
const GETTERS: Readonly<Record<keyof Inputs | DefaultLocale, Getter>> = {
  "default:locale": ({ defaultLocale }) => defaultLocale,
  keys: (_, { keys = [] }) => keys,
  locales: (_, { locales = [] }) => locales,
  versions: (_, { versions = [] }) => versions,
  lists: (_, { lists = [] }) => lists,
  documentId: (_, { documentId = null }) => documentId,
  limit: (_, { limit = null }) => limit,
  offset: (_, { offset = null }) => offset,
  anchor: (_, { anchor }) => anchor?.id ?? null,
};

const isInput = (name: string): name is keyof typeof GETTERS => Object.hasOwn(GETTERS, name);

const getter = (name: string | number): Getter => {
  if (typeof name === "number") return () => name;
  if (isInput(name)) return GETTERS[name];
  const [kind, text] = name.split(":");
  const index = Number(text);
  if (kind === "anchor") return (_, { anchor }) => anchor?.values[index] ?? null;
  if (kind === "value") return ({ parameters }) => parameters[index] ?? null;
  throw new Error(`Unknown placeholder ${name}`);
};

const NOTHING: Inputs = {};

/**
 * Compiles the text of a query once.
 *
 * @param isEstimated whether PostgreSQL estimates its cost before it runs
 */
export const compile = (query: SQLWrapper, isEstimated = false): Statement => {
  const { text, parameters } = compileStatement(query);
  const getters = parameters.map(getter);
  const values: Statement["values"] = (bindings, inputs = NOTHING) => getters.map((get) => get(bindings, inputs));
  const run: Statement["run"] = async (session, bindings, inputs) => {
    const sent = values(bindings, inputs);
    if (isEstimated && bindings.costLimit) await refuseCostly(session, text, sent, bindings.costLimit);
    return session.rows(text, sent);
  };
  return { text, values, run };
};

/** A statement compiled on first use: a plan has more of them than most requests need. */
export const compileLater = (isEstimated: boolean, query: () => SQLWrapper): Statement => {
  let known: Statement | undefined;
  const compiled = (): Statement => (known ??= compile(query(), isEstimated));
  return {
    get text() {
      return compiled().text;
    },
    values: (bindings, inputs) => compiled().values(bindings, inputs),
    run: (session, bindings, inputs) => compiled().run(session, bindings, inputs),
  };
};
