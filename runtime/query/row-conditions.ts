/** The conditions that rows have to meet for a caller's rules: the filters of the rules, checked and ready for SQL. */
import { type Caller, system } from "../access/caller.ts";
import type { RowAccess, RowFilter } from "../access/row-rules.ts";
import { remembering } from "../base/remembering.ts";
import type { Config } from "../config/config.ts";
import type { Parameter } from "../database/database.ts";
import type { Uid } from "../schema/content-type.ts";
import { isUid } from "../schema/uid.ts";
import { CheckContext } from "./check/context.ts";
import { checkFilters } from "./check/filters.ts";
import { joined } from "./check/operators.ts";
import type { Cursors } from "./cursor/cursors.ts";
import type { AnyStatus, Condition } from "./query.ts";
import type { LimitedRows, Schema } from "./schema.ts";

/** What rules are checked against. */
export interface Known {
  readonly config: Config;
  readonly cursors: Cursors;
  /** Every name of the types: rules may name private attributes. */
  readonly revealing: Schema;
}

/** Met by no row. */
const NONE: Condition = { kind: "unknown" };

/** The uid of the type that an action is about. */
export const uidOf = (action: string): string => action.slice(0, action.lastIndexOf("."));

/** A condition, and the values that it refers to. */
export interface BoundCondition {
  readonly condition: Condition;
  readonly parameters: readonly Parameter[];
}

/** Checks filters of rules, and collects their values. */
export class RuleCheck {
  readonly context: CheckContext;
  readonly #schema: Schema;

  constructor({ config, cursors, revealing }: Known) {
    this.#schema = revealing;
    this.context = new CheckContext({ own: revealing, revealing }, config, system, {
      code: true,
      trusted: true,
      cursors,
    });
  }

  /** The condition of one filter; undefined if it asks for nothing. */
  one(uid: Uid, status: AnyStatus, { where, locales }: RowFilter): Condition | undefined {
    const { context } = this;
    const owner = this.#schema.type(uid);
    const listed: Condition[] = locales ? [{ kind: "in", field: "locale", values: context.slot(locales) }] : [];
    const asked = where && checkFilters({ context, owner, status, param: "filters", path: null, steps: 0 }, where);
    return joined("and", [...listed, asked]);
  }

  /** The condition of several filters, of which one has to be met; undefined if one of them asks for nothing. */
  any(uid: Uid, status: AnyStatus, filters: readonly RowFilter[]): Condition | undefined {
    const conditions = filters.map((filter) => this.one(uid, status, filter));
    if (conditions.includes(undefined)) return undefined;
    return joined("or", conditions) ?? NONE;
  }
}

const STATUSES: readonly AnyStatus[] = ["published", "draft", "either"];

const isPublished: Condition = { kind: "not", item: { kind: "null", field: "publishedAt" } };

/** Which rows of each type a caller may read, at every place where a query reads them. */
export interface ReadableRows extends Pick<LimitedRows, "of"> {
  /** Callers with equal shapes differ in values only. */
  readonly shape: string;
  readonly parameters: readonly Parameter[];
}

/** What a rule for reading asks of rows in a status: what is asked of drafts is asked of these alone. */
const ofDrafts = (status: AnyStatus, condition: Condition | undefined): Condition | undefined => {
  if (status === "published" || condition === undefined) return undefined;
  return status === "draft" ? condition : { kind: "or", items: [isPublished, condition] };
};

const readableRows = (known: Known, { filters }: RowAccess): ReadableRows => {
  const check = new RuleCheck(known);
  const conditions: Record<string, Condition | undefined> = {};
  for (const uid of new Set([...filters.keys()].map(uidOf))) {
    if (!isUid(uid)) continue;
    const ruled = (action: string, status: AnyStatus): Condition | undefined => {
      const own = filters.get(`${uid}.${action}`);
      return own && check.any(uid, status, own);
    };
    for (const status of STATUSES) {
      const read = [ruled("find", status), ruled("findOne", status), ofDrafts(status, ruled("readDraft", status))];
      conditions[`${uid} ${status}`] = joined("and", read);
    }
  }
  return {
    shape: JSON.stringify(conditions),
    parameters: check.context.parameters,
    of: (uid, status) => conditions[`${uid} ${status}`],
  };
};

interface Asked {
  readonly action: string;
  /** Whether the locales of rules count, too. */
  readonly inLocales: boolean;
}

/** Whatever of these is limited, the rows that may be read are the same. */
const READING: ReadonlySet<string> = new Set(["find", "findOne"]);

/** The conditions of the callers of one server. */
export type RowConditions = ReturnType<typeof createRowConditions>;

export const createRowConditions = (known: Known) => {
  const readable = remembering((rows: RowAccess) => readableRows(known, rows));
  return {
    /** The rows that a caller may read; undefined if no rule says so. */
    readableBy: ({ rows }: Pick<Caller, "rows">): ReadableRows | undefined => rows && readable(rows),
    /** The condition for an action; undefined if there is none. What is asked for reading is asked at once. */
    boundTo(rows: RowAccess, uid: Uid, { action, inLocales }: Asked): BoundCondition | undefined {
      if (READING.has(action)) {
        const { parameters, of } = readable(rows);
        const condition = of(uid, "either");
        return condition && { condition, parameters };
      }
      const filters = rows.filters.get(`${uid}.${action}`);
      if (!filters) return undefined;
      const check = new RuleCheck(known);
      const asked = inLocales ? filters : filters.map(({ where }) => ({ where, locales: undefined }));
      const condition = check.any(uid, "either", asked);
      return condition && { condition, parameters: check.context.parameters };
    },
  };
};
