/** The conditions that a caller's rules put on rows: the filters of the rules, checked and ready for SQL. */
import type { SQL } from "drizzle-orm";
import { system } from "../access/caller.ts";
import type { RowAccess, RowFilter } from "../access/row-rules.ts";
import type { Config } from "../config/config.ts";
import type { Parameter, Values } from "../database/database.ts";
import type { Uid } from "../schema/content-type.ts";
import { isUid } from "../schema/uid.ts";
import { Budget, UNLIMITED } from "./check/budget.ts";
import { CheckContext } from "./check/context.ts";
import { checkFilters } from "./check/filters.ts";
import { joined } from "./check/operators.ts";
import type { Cursors } from "./cursor/cursors.ts";
import type { AnyStatus, Condition } from "./query.ts";
import type { LimitedRows, Schema } from "./schema.ts";
import { rowsMeeting } from "./sql/readable.ts";

/** What the check of rules depends on. */
export interface Known {
  readonly config: Config;
  readonly cursors: Cursors;
  /** Every name of the types: rules may name private attributes. */
  readonly revealing: Schema;
}

/** No row meets it. */
const NONE: Condition = { kind: "unknown" };

/** The uid of the type that an action applies to. */
export const uidOf = (action: string): string => action.slice(0, action.lastIndexOf("."));

/** Checks filters of rules, and collects their values. */
export class RuleCheck {
  readonly context: CheckContext;
  readonly #schema: Schema;

  constructor({ config, cursors, revealing }: Known) {
    // A role may have any number of rules, and all of them are checked here: no client can make them more.
    const budget = new Budget({ ...config, rest: { ...config.rest, planSize: Infinity } }, UNLIMITED);
    const options = { code: true, trusted: true, cursors, budget };
    this.#schema = revealing;
    this.context = new CheckContext({ own: revealing, revealing }, config, system, options);
  }

  /** The condition of one filter; undefined if the filter is empty. */
  one(uid: Uid, status: AnyStatus, { where, locales }: RowFilter): Condition | undefined {
    const { context } = this;
    const owner = this.#schema.type(uid);
    const listed: Condition[] = locales ? [{ kind: "in", field: "locale", values: context.slot(locales) }] : [];
    const asked = where && checkFilters({ context, owner, status, param: "filters", path: null, steps: 0 }, where);
    return joined("and", [...listed, asked]);
  }

  /** The condition of several filters, at least one of which must hold; undefined if one of them is empty. */
  any(uid: Uid, status: AnyStatus, filters: readonly RowFilter[]): Condition | undefined {
    const conditions = filters.map((filter) => this.one(uid, status, filter));
    if (conditions.includes(undefined)) return undefined;
    return joined("or", conditions) ?? NONE;
  }
}

const STATUSES: readonly AnyStatus[] = ["published", "draft", "either"];

const isPublished: Condition = { kind: "not", item: { kind: "null", field: "publishedAt" } };

/** What a rule for reading requires of rows in a status: conditions on drafts apply to drafts only. */
const ofDrafts = (status: AnyStatus, condition: Condition | undefined): Condition | undefined => {
  if (status === "published" || condition === undefined) return undefined;
  return status === "draft" ? condition : { kind: "or", items: [isPublished, condition] };
};

/** Some rows of a type, as a part of other statements. */
export interface RowLimit {
  /** Equal for equal texts. */
  readonly key: string;
  /** Selects the rows, with all columns of the table. */
  readonly rows: SQL;
  readonly values: Values;
}

/** The rows that a caller may act upon. */
export interface RowConditions extends Pick<LimitedRows, "of"> {
  /** Callers with equal shapes differ in values only. */
  readonly shape: string;
  readonly parameters: readonly Parameter[];
  /** The rows for an action; undefined for all rows. Without `inLocales`, in any locale. */
  limitFor(uid: Uid, action: string, inLocales: boolean): RowLimit | undefined;
}

const ANYWHERE = " in any locale";

/** The conditions by action, and those for reading by type and status. */
const conditionsOf = (check: RuleCheck, { filters }: RowAccess): Readonly<Record<string, Condition | undefined>> => {
  const conditions: Record<string, Condition | undefined> = {};
  for (const [action, own] of filters) {
    const uid = uidOf(action);
    if (!isUid(uid)) continue;
    const anywhere = own.map(({ where }) => ({ where, locales: undefined }));
    conditions[action] = check.any(uid, "either", own);
    conditions[action + ANYWHERE] = check.any(uid, "either", anywhere);
  }
  for (const uid of new Set([...filters.keys()].map(uidOf).filter(isUid))) {
    for (const status of STATUSES) {
      const ruled = (name: string) => {
        const rules = filters.get(`${uid}.${name}`);
        return rules && check.any(uid, status, rules);
      };
      const read = [ruled("find"), ruled("findOne"), ofDrafts(status, ruled("readDraft"))];
      conditions[`${uid} ${status}`] = joined("and", read);
    }
  }
  return conditions;
};

/** Checks the filters of a caller. For either action that reads, all rules for reading apply. */
export const rowConditions = (known: Known, rows: RowAccess): RowConditions => {
  const { config, revealing } = known;
  const check = new RuleCheck(known);
  const conditions = conditionsOf(check, rows);
  const { parameters } = check.context;
  const named = parameters.map((value, index) => [`value:${index}`, value] as const);
  const values = { ...Object.fromEntries(named), "default:locale": config.locales.default };
  return {
    // Empty conditions leave values behind, and the values of queries follow these.
    shape: JSON.stringify([parameters.length, conditions]),
    parameters,
    of: (uid, status) => conditions[`${uid} ${status}`],
    limitFor(uid, action, inLocales) {
      const isReading = action === "find" || action === "findOne";
      const condition = conditions[isReading ? `${uid} either` : `${uid}.${action}${inLocales ? "" : ANYWHERE}`];
      if (!condition) return undefined;
      return { key: JSON.stringify(condition), rows: rowsMeeting(revealing, uid, "either", condition), values };
    },
  };
};
