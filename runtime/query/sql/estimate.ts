/** Refuses statements that would keep the database busy for long, before they run. */
import { z } from "zod";
import type { Parameter, Reader } from "../../database/database.ts";
import { refuse } from "../check/query-size.ts";
import type { CostLimit } from "../query.ts";

const explained = z.tuple([z.object({ Plan: z.object({ "Total Cost": z.number() }) })]);

const costOf = async (session: Reader, text: string, values: readonly Parameter[]): Promise<number> => {
  const [row] = await session.rows(`explain (format json) ${text}`, values);
  return explained.parse(JSON.parse(String(row?.[0])))[0].Plan["Total Cost"];
};

/** When the statistics of an embedded database were last renewed. */
const renewed = new WeakMap<object, number>();
const MILLISECONDS = 60_000;

/** Renews the statistics that estimates are made of, at most once a minute. A server of PostgreSQL does so by itself. */
const renew = async (session: Reader, embedded: object): Promise<void> => {
  const now = performance.now();
  if (now - (renewed.get(embedded) ?? -MILLISECONDS) < MILLISECONDS) return;
  renewed.set(embedded, now);
  await session.rows("analyze");
};

/**
 * Asks PostgreSQL what a statement would cost.
 *
 * @throws ValidationError when it is more than `limits.queryCost` allows
 */
export const refuseCostly = async (
  session: Reader,
  text: string,
  values: readonly Parameter[],
  limit: CostLimit,
): Promise<void> => {
  if (limit.embedded !== undefined) await renew(session, limit.embedded);
  const cost = await costOf(session, text, values);
  if (cost <= limit.most) return;
  const what = `By the estimate of PostgreSQL it would cost ${Math.round(cost)}, and it may cost ${limit.most}`;
  refuse(limit.at, what, "limits.queryCost");
};
