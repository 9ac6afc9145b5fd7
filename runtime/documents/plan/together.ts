/** Plans of several documents that are carried out together. */
import type { ValidationError } from "../../base/errors.ts";
import type { Parameter, Session, Value } from "../../database/database.ts";
import { type Bound, sendAll } from "../../database/statement.ts";
import type { FieldError } from "../../schema/validation/check.ts";
import type { Plan } from "./plan.ts";
import { repeatedAmong, repeatedColumn } from "./unique-columns.ts";
import { RepeatedValue } from "./uniqueness.ts";

/** Documents whose rows one statement stores: more would gain nothing, and hold up whatever else runs here. */
const AT_ONCE = 1000;

/** How faults are told, of which document each is. */
export interface Placing {
  place(index: number, fault: FieldError): FieldError;
  errorOf(faults: readonly FieldError[]): ValidationError;
}

const isValue = (parameter: Parameter | undefined): parameter is Value =>
  parameter !== undefined && (typeof parameter !== "object" || parameter === null);

/** One statement for all, whose values are lists of theirs. */
const joined = (all: readonly Bound[]): Bound | undefined => {
  const [first] = all;
  if (!first?.many || all.some(({ many }) => many === undefined)) return undefined;
  const lists: Record<string, readonly Value[]> = {};
  for (const name of Object.keys(first.values)) {
    const values = all.map((each) => each.values[name]);
    if (!values.every(isValue)) return undefined;
    lists[name] = values;
  }
  return { statement: first.many(), values: lists };
};

/**
 * The statements of several documents in as few as it gets: those that differ in values alone become one, in the place of
 * the first. As they are, one document after the other, where some cannot be joined.
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

/** What the failure of a statement means, once it is asked which documents it is about. */
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
 * Carries out plans of one type of which none depends on another.
 *
 * @throws ValidationError that `placing` makes of unique values that they repeat of one another
 * @throws RepeatedValue when others have some of them
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
