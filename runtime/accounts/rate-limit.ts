/** Limits on how often authentication may be tried. */
import { isIPv6 } from "node:net";
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import { RateLimitError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";

/** What an answer says about the limit. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since 1970 when the count starts anew. */
  readonly reset: number;
  /** The attempt was one too many. */
  readonly exceeded: boolean;
}

/**
 * What of an address one client has: all of an IPv4 address, the first half of an IPv6 address, whose second half
 * clients choose as they like.
 */
const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address;
  const [start = "", end] = address.split("::");
  const groups = start.split(":");
  // `::` stands for the zeros that are missing; eight groups are a whole address.
  const zeros = end === undefined ? 0 : 8 - groups.length - end.split(":").length;
  const whole = [...groups, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...(end ?? "").split(":")];
  return whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group || "0", 16).toString(16))
    .join(":");
};

export interface Attempt {
  /** The route, as it was declared: neither its case nor a slash at the end makes another. */
  readonly path: string;
  readonly address: string;
  /** Where different addresses in the body count apart; never for checking a password. */
  readonly email?: string;
}

export interface RateLimit {
  /** Counts an attempt. Undefined when limits are off. */
  count(attempt: Attempt): Promise<Allowance | undefined>;
}

/** One client that varies the e-mail address gets this many times the attempts of one address. */
const PER_ADDRESS = 10;

const LONGEST_EMAIL = 320;

interface Query {
  readonly text: string;
  readonly values: readonly (string | number | null)[];
}

/** The library's PostgreSQL store over our database; its statements return the points and when they expire. */
const storeOf = (database: Database) => ({
  async query({ text, values }: Query) {
    const rows = (await database.rows(text, values)).map(([points, expire]) => ({ points, expire: Number(expire) }));
    return { rows, rowCount: rows.length };
  },
});

const createLimiter = (database: Database, name: string, points: number, duration: number): RateLimiterAbstract =>
  database.kind === "postgres"
    ? new RateLimiterPostgres({
        storeClient: storeOf(database),
        storeType: "client",
        tableName: "rate_limits",
        tableCreated: true,
        keyPrefix: name,
        points,
        duration,
      })
    : new RateLimiterMemory({ keyPrefix: name, points, duration });

const consume = async (limiter: RateLimiterAbstract, key: string): Promise<Allowance> => {
  const result = await limiter.consume(key).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
  return {
    limit: limiter.points,
    remaining: result.remainingPoints,
    reset: Math.ceil((Date.now() + result.msBeforeNext) / 1000),
    exceeded: result.consumedPoints > limiter.points,
  };
};

/** Limits as configured: in memory with the embedded database, in PostgreSQL where several processes may share it. */
export const createRateLimit = (config: Config["auth"]["rateLimit"], database: Database): RateLimit => {
  if (config === false) return { count: async () => undefined };
  const { max, intervalSeconds } = config;
  const attempts = createLimiter(database, "auth", max, intervalSeconds);
  const clients = createLimiter(database, "client", max * PER_ADDRESS, intervalSeconds);
  return {
    async count({ path, address, email }) {
      const place = `${path}:${networkOf(address)}`;
      if (email === undefined) return consume(attempts, `noIdentifier:${place}`);
      const client = await consume(clients, place);
      const identifier = email === "" || email.length > LONGEST_EMAIL ? "unknownIdentifier" : email.toLowerCase();
      return client.exceeded ? client : consume(attempts, `${identifier}:${place}`);
    },
  };
};

/** The error for an attempt too many. */
export const tooMany = (): RateLimitError => new RateLimitError();
