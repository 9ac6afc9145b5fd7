/** Lists filtered by relations only: where to find their rows, other than by scanning the list. */
import { and, type SQL, sql } from "drizzle-orm";
import { type Condition, partsOf } from "../query.ts";
import { conditionIn, onNothing } from "./condition.ts";
import { type LinkStep, reach, reachLink, selectReached, storageOf } from "./reach.ts";
import { columnIn, memberOf, type RowScope } from "./scope.ts";

type Related = Extract<Condition, { readonly kind: "related" }>;

/** A relation that rows must have, seen from both ends. */
export interface RelatedIds {
  /** Selects the ids of rows, starting from related ones that meet the condition. Some ids may occur more than once. */
  readonly ids: SQL;
  /** Whether one row of the list meets the condition; null if not. PostgreSQL evaluates this for each row. */
  readonly probe: SQL;
}

/** Whether the condition concerns only scalars of the related row. */
const isShallow = (condition: Condition): boolean =>
  !["related", "zone", "search"].includes(condition.kind) && partsOf(condition).every(isShallow);

const relatedIn = (condition: Condition): readonly Related[] | undefined => {
  switch (condition.kind) {
    case "related":
      return [condition];
    case "or": {
      const found = condition.items.map(relatedIn);
      return found.every((each) => each !== undefined) ? found.flat() : undefined;
    }
    case "and":
      return condition.items.length === 1 && condition.items[0] ? relatedIn(condition.items[0]) : undefined;
    default:
      return undefined;
  }
};

const isStored = ({ build, owner }: RowScope, { name, item }: Related): boolean => {
  const member = memberOf(owner, name);
  if (member.kind !== "relation" || member.target === undefined || !isShallow(item)) return false;
  const { kind } = storageOf(build, member);
  return kind !== "json" && kind !== "localizations" && onNothing(item) !== true;
};

export interface IdsOptions {
  /** Maximum number of ids to select. */
  readonly limit: SQL;
  /** The condition for the versions in the list. Ids of other versions may occur, too. */
  readonly versions: (row: RowScope) => SQL | undefined;
}

/** Where the relation has an index by target and position, the column of the position. */
const positionOf = (row: RowScope, name: string, link: LinkStep | undefined) => {
  const member = memberOf(row.owner, name);
  if (member.kind !== "relation") return undefined;
  const storage = storageOf(row.build, member);
  if (storage.kind === "link")
    return link && storage.link.inversePosition && columnIn(storage.link.inversePosition, link.alias);
  const { source } = member;
  const position = storage.kind === "column" && "inversePosition" in source ? source.inversePosition : undefined;
  return position && row.column(position);
};

/**
 * Selects ids of rows, starting from the related ones: up to the limit for each of these, in index order if there is
 * one. Without an order, PostgreSQL may read the table instead, as it expects to find that many soon.
 */
const idsOf = (scope: RowScope, { name, status, item }: Related, { limit, versions }: IdsOptions): SQL => {
  const row = scope.build.rows(scope.owner.uid, scope.status);
  const linked = reachLink(row, name, status);
  const { target, link, where } = linked ?? reach(row, name, status);
  const tables = [...(link ? [sql`${link.table} ${sql.identifier(link.alias)}`] : []), ...(linked ? [] : [row.from])];
  const id = linked?.id ?? row.id;
  const position = positionOf(row, name, link);
  const order = position && sql` order by ${position}`;
  const rows = sql`select ${id} as id from ${sql.join(tables, sql`, `)} where ${and(link?.on, where, linked ? undefined : versions(row))}${order} limit ${limit}`;
  const condition = conditionIn(target, item);
  return sql`select row.id from ${target.from} cross join lateral (${rows}) as row where ${condition} limit ${limit}`;
};

/** Selects true if the row has a related one that meets the condition. */
const probeOf = (scope: RowScope, { name, status, item }: Related): SQL => {
  const reached = reach(scope, name, status);
  return sql`${selectReached({ found: sql`true` }, reached, conditionIn(reached.target, item))} limit 1`;
};

/**
 * The relations of a filter that requires nothing but one of them, each for scalars of the related rows; undefined for
 * any other filter. A row meets the filter if it has one of the relations.
 */
export const onlyRelations = (
  scope: RowScope,
  filter: Condition,
  options: IdsOptions,
): readonly RelatedIds[] | undefined => {
  const related = relatedIn(filter);
  if (related === undefined || !related.every((each) => isStored(scope, each))) return undefined;
  return related.map((each) => ({ ids: idsOf(scope, each, options), probe: probeOf(scope, each) }));
};
