/**
 * Sorting a list by values of related rows, with joins. A subquery for each row would prevent PostgreSQL from joining all
 * rows at once, and from following an index of the related table.
 */
import type { SQL } from "drizzle-orm";
import type { SortKey, SortStep } from "../query.ts";
import type { ScalarMember } from "../schema.ts";
import { type OrderKey, orderKey, valueAt } from "./order.ts";
import { reachOne } from "./reach.ts";
import { type Build, memberOf, type RowScope } from "./scope.ts";

/** A table to join: it has at most one row for each row of the list. */
export interface OrderJoin {
  readonly target: RowScope;
  readonly on: SQL;
}

export interface JoinedKey extends OrderKey {
  /** The joins that lead to the value, in order. */
  readonly joins: readonly OrderJoin[];
  /** The scalar of the last joined row; undefined if the path goes on from there. */
  readonly scalar: ScalarMember | undefined;
  readonly descending: boolean;
}

export interface JoinedOrder {
  readonly joins: readonly OrderJoin[];
  readonly keys: readonly JoinedKey[];
}

/** The sort keys without the id, and the joins that they need. Keys with the same relation share its join. */
export const joinedOrder = (build: Build, scope: RowScope, keys: readonly SortKey[]): JoinedOrder => {
  const joined = new Map<string, OrderJoin>();
  const joinedKeys = keys.map(({ path, descending }): JoinedKey => {
    const joins: OrderJoin[] = [];
    let at = scope;
    let rest = path;
    for (const [index, step] of path.entries()) {
      const key = JSON.stringify(path.slice(0, index + 1));
      const join = joined.get(key) ?? joinOf(build, at, step);
      if (join === undefined) break;
      joined.set(key, join);
      joins.push(join);
      at = join.target;
      rest = path.slice(index + 1);
    }
    const key = orderKey(valueAt(build, at, rest, descending), descending);
    return { ...key, joins, scalar: scalarAt(at, rest), descending };
  });
  return { joins: [...joined.values()], keys: joinedKeys };
};

const joinOf = (build: Build, scope: RowScope, { name, status }: SortStep): OrderJoin | undefined => {
  const reached = reachOne(build, scope, name, status);
  return reached && { target: reached.target, on: reached.where };
};

const scalarAt = ({ owner }: RowScope, [step, ...rest]: readonly SortStep[]): ScalarMember | undefined => {
  const member = step && rest.length === 0 ? memberOf(owner, step.name) : undefined;
  return member?.kind === "scalar" ? member : undefined;
};
