/** Refuses statements that would keep the database busy for long, before they run. */
import { z } from "zod";
import type { Parameter, Reader } from "../../database/database.ts";
import { refuse } from "../check/position.ts";
import type { CostLimit } from "../query.ts";

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
export const refuseCostly = async (
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
