/** Sends the same requests to two servers, and collects the differences. */
import pLimit from "p-limit";
import { ask, type Target } from "./ask.ts";
import { compare, type Difference } from "./compare.ts";
import { type Reason, reasonFor } from "./reasons.ts";
import { type CompatRequest, nameOf } from "./request.ts";

export interface Example {
  readonly request: string;
  readonly at: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

/** Differences with the same reason. */
export interface Group extends Reason {
  readonly kind: Difference["kind"];
  /** The number of affected answers. */
  readonly count: number;
  readonly examples: readonly Example[];
}

export interface Comparison {
  readonly requests: number;
  readonly equal: number;
  /** Answers that differ only in the order of an unsorted list. */
  readonly unordered: number;
  readonly groups: readonly Group[];
}

const AT_ONCE = 4;
const EXAMPLES = 3;

const asksOrder = (request: CompatRequest): boolean =>
  /\bsort\b/.test(request.kind === "rest" ? request.path : request.query);

interface Found {
  readonly reason: Reason;
  readonly kind: Difference["kind"];
  readonly example: Example;
}

/** The findings of one request, one per reason. */
const findIn = async (
  their: Target,
  own: Target,
  request: CompatRequest,
): Promise<{ found: readonly Found[]; isUnordered: boolean }> => {
  const [theirs, ours] = await Promise.all([ask(their, request), ask(own, request)]);
  const all = compare({ ...theirs, url: their.url }, { ...ours, url: own.url });
  const differences = asksOrder(request) ? all : all.filter(({ kind }) => kind !== "order");
  const found = differences.map((difference): Found => ({
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
): Promise<Comparison> => {
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
  const groups = new Map<string, { found: Found; count: number; examples: Example[] }>();
  for (const each of results.flatMap(({ found }) => found)) {
    const key = `${each.kind} ${each.reason.reason} ${each.reason.setting ?? ""}`;
    const group = groups.get(key) ?? { found: each, count: 0, examples: [] };
    group.count += 1;
    if (group.examples.length < EXAMPLES) group.examples.push(each.example);
    groups.set(key, group);
  }
  return {
    requests: requests.length,
    equal: results.filter(({ found, isUnordered }) => found.length === 0 && !isUnordered).length,
    unordered: results.filter(({ found, isUnordered }) => found.length === 0 && isUnordered).length,
    groups: [...groups.values()]
      .map(({ found, count, examples }) => ({ ...found.reason, kind: found.kind, count, examples }))
      .toSorted((a, b) => b.count - a.count),
  };
};
