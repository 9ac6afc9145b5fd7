import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
/** Compiles the statements of the read engine, and binds values: from the query, or from rows already read. */
import type { Parameter, Reader, Row } from "../../database/database.ts";
import * as statement from "../../database/statement.ts";
import type { KnownAnchor } from "../cursor/cursors.ts";
import type { CostLimit, Slot } from "../query.ts";
import { refuseCostly } from "./estimate.ts";

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
  const { text, parameters } = statement.compile(query);
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
