/** Sends the same requests to two servers, and collects the differences. */
import pLimit from "p-limit";
import { groupBy } from "../base/lists.ts";
import { ask, type Target } from "./ask.ts";
import { compare } from "./compare.ts";
import { reasonFor } from "./reasons.ts";
import { type CompatRequest, nameOf } from "./request.ts";

export type Comparison = Awaited<ReturnType<typeof compareServers>>;

/** Differences with the same reason. */
export type Group = Comparison["groups"][number];

const AT_ONCE = 4;
const EXAMPLES = 3;

const asksOrder = (request: CompatRequest): boolean =>
  /\bsort\b/.test(request.kind === "rest" ? request.path : request.query);

/** The findings of one request, one per reason. */
const findIn = async (their: Target, own: Target, request: CompatRequest) => {
  const [theirs, ours] = await Promise.all([ask(their, request), ask(own, request)]);
  const all = compare({ ...theirs, url: their.url }, { ...ours, url: own.url });
  const differences = asksOrder(request) ? all : all.filter(({ kind }) => kind !== "order");
  const found = differences.map((difference) => ({
    reason: reasonFor({ request, difference, theirs, ours }),
    kind: difference.kind,
    example: { request: nameOf(request), at: difference.at, theirs: difference.theirs, ours: difference.ours },
  }));
  const once = new Map(found.toReversed().map((each) => [`${each.kind} ${each.reason.reason}`, each]));
  return { found: [...once.values()].toReversed(), isUnordered: all.length > differences.length };
};

/** Sends every request to both servers. */
export const compareServers = async (
  their: Target,
  own: Target,
  requests: readonly CompatRequest[],
  onStep: (done: number) => void,
) => {
  const limit = pLimit(AT_ONCE);
  let done = 0;
  const results = await Promise.all(
    requests.map((request) =>
      limit(async () => {
        const result = await findIn(their, own, request);
        onStep((done += 1));
        return result;
      }),
    ),
  );
  const groups = groupBy(
    results.flatMap(({ found }) => found),
    ({ kind, reason: { reason, setting = "" } }) => `${kind} ${reason} ${setting}`,
  );
  return {
    requests: requests.length,
    equal: results.filter(({ found, isUnordered }) => found.length === 0 && !isUnordered).length,
    /** Answers that differ only in the order of an unsorted list. */
    unordered: results.filter(({ found, isUnordered }) => found.length === 0 && isUnordered).length,
    groups: [...groups.values()]
      .flatMap((all) =>
        all.slice(0, 1).map(({ reason, kind }) => ({
          ...reason,
          kind,
          /** The number of affected answers. */
          count: all.length,
          examples: all.slice(0, EXAMPLES).map(({ example }) => example),
        })),
      )
      .toSorted((a, b) => b.count - a.count),
  };
};
