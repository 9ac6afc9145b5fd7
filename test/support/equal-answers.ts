/** Whether a server answers as another one was recorded, each difference with its reason. */
import { z } from "zod";
import { compareExchange, type Difference, type Exchange, type Order } from "./recorded-answers.ts";

export interface Reason {
  readonly why: string;
  readonly holds: (difference: Difference, exchange: Exchange) => boolean;
}

export interface Compared {
  readonly unexplained: readonly object[];
  /** The reasons that there were. */
  readonly used: ReadonlySet<string>;
  /** How many answers are the same. */
  readonly equal: number;
}

const session = z.object({ jwt: z.string(), user: z.object({ username: z.string() }) });

/** Asks everything that was recorded; who logs in is asked for first, since what they may see comes after it. */
export const compareAll = async (
  url: string,
  exchanges: readonly Exchange[],
  token: string,
  reasons: readonly Reason[],
  order: Order = "as it is",
): Promise<Compared> => {
  const tokens = new Map<string, string>([["full", token]]);
  const used = new Set<string>();
  const unexplained: object[] = [];
  let equal = 0;
  const compare = async (each: Exchange): Promise<unknown> => {
    const { differences, answer } = await compareExchange(url, each, tokens.get(each.auth), order);
    if (differences.length === 0) equal += 1;
    for (const difference of differences) {
      const why = reasons.find(({ holds }) => holds(difference, each))?.why;
      if (why === undefined) unexplained.push({ path: each.path, auth: each.auth, ...difference });
      else used.add(why);
    }
    return answer;
  };
  for (const each of exchanges.filter(({ method }) => method === "POST")) {
    const { success, data } = session.safeParse(await compare(each));
    if (success) tokens.set(`user:${data.user.username}`, data.jwt);
  }
  for (const each of exchanges.filter(({ method }) => method === "GET")) await compare(each);
  return { unexplained, used, equal };
};
