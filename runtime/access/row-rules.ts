/** Turns the rules that limit a permission to some documents into filters for a caller. */
import { LRUCache } from "lru-cache";
import type { Config } from "../config/config.ts";
import type { RowRule, RuleUser } from "../config/permissions.ts";
import type { DocumentOf, KnownUid } from "../schema/document.ts";
import type { Filters } from "../schema/typed/index.ts";

/** The content type of an action such as `api::article.article.update`. */
type TypeOf<Action extends string> = {
  [Uid in KnownUid]: Action extends `${Uid}.${string}` ? Uid : never;
}[KnownUid];

/** The documents that a permission covers: without `where` all of them, without `locales` in all locales. */
export interface Conditions<Action extends string> {
  /** Filters of the document service, such as `({ user }) => ({ author: { user: { id: user.id } } })`. */
  where?(given: { readonly user: RuleUser }): Filters<DocumentOf<TypeOf<Action>>>;
  readonly locales?: string[];
}

/** A permission for some documents only, among the `permissions` of a role in `cms.config.ts`. */
export const can = <const Action extends string>(action: Action, conditions: Conditions<Action>): RowRule => ({
  action,
  ...conditions,
});

/** What one rule requires of a document; all parts must hold. */
export interface RowFilter {
  /** In the syntax of `filters`. */
  readonly where: object | undefined;
  readonly locales: readonly string[] | undefined;
}

/** The documents that a caller may act on. Callers with equal keys may act on the same ones. */
export interface RowAccess {
  readonly key: string;
  /** The filters by action: a document must match one of them. Actions without filters cover all documents. */
  readonly filters: ReadonlyMap<string, readonly RowFilter[]>;
}

/** Thrown for a condition that lacks a value: a query would ignore it and find everything. */
class Incomplete extends Error {
  override readonly name = "Incomplete";
}

/** Stands in for the user if nobody is logged in. */
const nobody: RuleUser = {
  get id(): number {
    throw new Incomplete("it needs a user");
  },
  get documentId(): string {
    throw new Incomplete("it needs a user");
  },
};

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !(value instanceof Date) && Object.keys(value).length === 0;

/** Refuses values that a query would ignore. */
const complete = (key: string, value: unknown): unknown => {
  if (typeof value === "bigint") return String(value);
  const isMissing = value === undefined || typeof value === "function" || typeof value === "symbol";
  if (isMissing || (typeof value === "number" && !Number.isFinite(value)))
    throw new Incomplete(`"${key}" has no value`);
  if (isEmpty(value)) throw new Incomplete(key === "" ? "it returns no filters" : `"${key}" is empty`);
  return value;
};

/**
 * The filters of a rule as plain data.
 *
 * @throws Incomplete when they need a user and there is none, or lack a value
 */
const evaluated = ({ where, locales }: RowRule, user: RuleUser): RowFilter => {
  const filters: unknown = where && JSON.parse(JSON.stringify(where({ user }) ?? null, complete));
  if (where && (typeof filters !== "object" || filters === null)) throw new Incomplete("it returns no filters");
  return { where: filters ?? undefined, locales };
};

/** The filter of a rule; undefined if no document matches it. */
const filterOf = (rule: RowRule, user: RuleUser): RowFilter | undefined => {
  try {
    return evaluated(rule, user);
  } catch (error) {
    if (error instanceof Incomplete) return undefined;
    throw error;
  }
};

/** The rules of a role by action. An action that is also granted without a rule has none, since permissions add up. */
const rulesOf = (entries: Config["permissions"][string]): ReadonlyMap<string, readonly RowRule[]> => {
  const whole = new Set(entries.filter((entry) => typeof entry === "string"));
  const byAction = new Map<string, RowRule[]>();
  for (const rule of entries) {
    if (typeof rule === "string" || whole.has(rule.action)) continue;
    byAction.set(rule.action, [...(byAction.get(rule.action) ?? []), rule]);
  }
  return byAction;
};

const accessOf = (rules: ReadonlyMap<string, readonly RowRule[]>, user: RuleUser): RowAccess => {
  const filters = new Map(
    [...rules].map(([action, each]) => [action, each.flatMap((rule) => filterOf(rule, user) ?? [])] as const),
  );
  return { key: JSON.stringify([...filters]), filters };
};

/** A rule, and where it is declared. */
export interface PlacedRule {
  readonly place: string;
  readonly rule: RowRule;
}

/** All rules of the configuration, each with its place. */
export const placedRules = ({ permissions }: Pick<Config, "permissions">): readonly PlacedRule[] =>
  Object.entries(permissions).flatMap(([role, entries]) =>
    entries.flatMap((rule) =>
      typeof rule === "string" ? [] : [{ place: `permissions.${role}: ${rule.action}`, rule }],
    ),
  );

const SOMEBODY: RuleUser = { id: 1, documentId: "a".repeat(24) };

/**
 * The filter of a rule for a made-up user, for validation.
 *
 * @throws Error that says why it is incomplete
 */
export const sampleOf = ({ rule }: PlacedRule): RowFilter => evaluated(rule, SOMEBODY);

/** Most callers whose access is cached, so that those with equal rights share it. */
const REMEMBERED = 1000;

/** Finds the documents that a role lets a user, or an anonymous caller, access; undefined if the role has no rules. */
export type RowAccessOf = (role: string, user?: RuleUser) => RowAccess | undefined;

export const createRowAccess = ({ permissions }: Pick<Config, "permissions">): RowAccessOf => {
  const ruled = new Map(
    Object.entries(permissions)
      .map(([role, entries]) => [role, rulesOf(entries)] as const)
      .filter(([, rules]) => rules.size > 0),
  );
  const known = new LRUCache<string, RowAccess>({ max: REMEMBERED });
  return (role, user = nobody) => {
    const rules = ruled.get(role);
    if (!rules) return undefined;
    const access = accessOf(rules, user);
    const same = known.get(access.key) ?? access;
    known.set(access.key, same);
    return same;
  };
};
