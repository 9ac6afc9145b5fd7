/** Limits how often clients may try to authenticate. */
import { isIPv6 } from "node:net";
import { RateLimitError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";

/**
 * The part of an address that identifies a client: all of an IPv4 address, but only the first half of an IPv6 address,
 * since clients can choose the second half.
 */
const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address;
  const [start = "", end] = address.split("::");
  const groups = start.split(":");
  // `::` stands for omitted zeros; a full address has eight groups.
  const zeros = end === undefined ? 0 : 8 - groups.length - end.split(":").length;
  const whole = [...groups, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...(end ?? "").split(":")];
  return whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group || "0", 16).toString(16))
    .join(":");
};

export interface Attempt {
  /** The declared path of the route, so that letter case and trailing slashes make no difference. */
  readonly path: string;
  readonly address: string;
  /**
   * What the body has as the e-mail address. Set if attempts for different addresses are counted separately; never for
   * password checks.
   */
  readonly email?: unknown;
}

/** How many times the attempts for one e-mail address a client has when it tries different addresses. */
const PER_ADDRESS = 10;

const LONGEST_EMAIL = 320;

interface Query {
  readonly text: string;
  readonly values: readonly (string | number | null)[];
}

/** Adapts our database to the PostgreSQL store of the library; its statements return the points and their expiry. */
const storeOf = (database: Database) => ({
  async query({ text, values }: Query) {
    const rows = (await database.rows(text, values)).map(([points, expire]) => ({ points, expire: Number(expire) }));
    return { rows, rowCount: rows.length };
  },
});

/** Creates the counters for a client and an e-mail address together, and for a client alone. */
const createCounters = async (
  { max, intervalSeconds }: Exclude<Config["auth"]["rateLimit"], false>,
  database: Database,
) => {
  const { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } = await import("rate-limiter-flexible");
  const table = { storeType: "client", tableName: "rate_limits", tableCreated: true };
  const counter = (keyPrefix: string, points: number) => {
    const options = { keyPrefix, points, duration: intervalSeconds };
    const limiter =
      database.kind === "postgres"
        ? new RateLimiterPostgres({ storeClient: storeOf(database), ...table, ...options })
        : new RateLimiterMemory(options);
    return async (key: string) => {
      const result = await limiter.consume(key).catch((refused: unknown) => {
        if (refused instanceof RateLimiterRes) return refused;
        throw refused;
      });
      return {
        limit: points,
        remaining: result.remainingPoints,
        /** When the count restarts, in seconds since 1970. */
        reset: Math.ceil((Date.now() + result.msBeforeNext) / 1000),
        /** Whether this attempt exceeds the limit. */
        exceeded: result.consumedPoints > points,
      };
    };
  };
  return { attempt: counter("auth", max), client: counter("client", max * PER_ADDRESS) };
};

/**
 * Creates the configured limits: in memory for the embedded database, else in PostgreSQL, since several processes may
 * share it. The library is loaded on the first attempt.
 */
export const createRateLimit = (config: Config["auth"]["rateLimit"], database: Database) => {
  let creating: ReturnType<typeof createCounters> | undefined;
  return {
    /** Counts an attempt. Returns the state of the limit; undefined if limits are off. */
    async count({ path, address, ...given }: Attempt) {
      if (config === false) return undefined;
      const counters = await (creating ??= createCounters(config, database));
      const place = `${path}:${networkOf(address)}`;
      if (!("email" in given)) return counters.attempt(`noIdentifier:${place}`);
      const client = await counters.client(place);
      const email = typeof given.email === "string" ? given.email : "";
      const identifier = email === "" || email.length > LONGEST_EMAIL ? "unknownIdentifier" : email.toLowerCase();
      return client.exceeded ? client : counters.attempt(`${identifier}:${place}`);
    },
  };
};

/** The error for exceeding a limit. */
export const tooMany = (): RateLimitError => new RateLimitError();
