/** Carries out the plans of several documents together. */
import type { ValidationError } from "../../base/errors.ts";
import type { Session } from "../../database/database.ts";
import { type Bound, sendAll } from "../../database/statement.ts";
import type { FieldError } from "../../schema/validation/check.ts";
import { isPut, putTogether } from "../sql/put-version.ts";
import type { Plan } from "./plan.ts";
import { repeatedAmong, repeatedColumn } from "./unique-columns.ts";
import { RepeatedValue } from "./uniqueness.ts";

/**
 * Most documents that one statement stores. More would not be faster, and would block other requests in this process.
 */
const AT_ONCE = 1000;

/** How to assign faults to documents. */
export interface Placing {
  place(index: number, fault: FieldError): FieldError;
  errorOf(faults: readonly FieldError[]): ValidationError;
}

/** One statement for all; undefined if they cannot be joined. */
const joined = (all: readonly Bound[]): Bound | undefined => {
  const puts = all.filter(isPut);
  return puts.length < all.length ? undefined : putTogether(puts.map(({ put }) => put));
};

/**
 * Joins the statements of several documents: those that differ only in their values become one, at the place of the
 * first. If some cannot be joined, all stay separate, one document after the other.
 */
const inOne = (plans: readonly Plan[]): readonly Bound[] => {
  const apart = plans.flatMap(({ statements }) => statements);
  const alike = new Map<string, Bound[]>();
  for (const bound of apart) {
    const known = alike.get(bound.statement.text);
    if (known) known.push(bound);
    else alike.set(bound.statement.text, [bound]);
  }
  const statements: Bound[] = [];
  for (const group of alike.values()) {
    const one = joined(group);
    if (!one) return apart;
    statements.push(one);
  }
  return statements;
};

/** Interprets the failure of a statement: finds the documents whose unique value was refused. */
const repeated = (error: unknown, plans: readonly Plan[], { place, errorOf }: Placing): RepeatedValue | undefined => {
  const [first] = plans;
  const fault = first && repeatedColumn(error, first.type, first.version);
  if (!fault) return undefined;
  const lookups = plans.flatMap(({ uniqueness }, index) =>
    uniqueness.afterwards.map((lookup) => ({
      bound: lookup.bound,
      faults: (rows: Parameters<typeof lookup.faults>[0]) => lookup.faults(rows).map((each) => place(index, each)),
    })),
  );
  const { value: _value, ...unknown } = fault;
  return new RepeatedValue(unknown, lookups, errorOf);
};

/**
 * Carries out plans of one type that do not depend on each other.
 *
 * @throws ValidationError made by `placing`, for unique values that occur in several of these documents
 * @throws RepeatedValue when other documents have some of the values already
 */
export const storeAll = async (session: Session, plans: readonly Plan[], placing: Placing): Promise<void> => {
  const [first] = plans;
  if (!first) return;
  const versions = plans.map(({ version }) => version);
  const own = repeatedAmong(first.type, versions).map(([index, fault]) => placing.place(index, fault));
  if (own.length > 0) throw placing.errorOf(own);
  try {
    for (let start = 0; start < plans.length; start += AT_ONCE) {
      await sendAll(session, inOne(plans.slice(start, start + AT_ONCE)));
    }
  } catch (error) {
    throw repeated(error, plans, placing) ?? error;
  }
};
