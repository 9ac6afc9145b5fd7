import type { MiddlewareHandler } from "hono";
import { membersOf } from "../../accounts/body-check.ts";
import { tooMany } from "../../accounts/rate-limit.ts";
import type { AppEnv } from "../context.ts";

/**
 * Limits how often a route may be called per client address; with `byEmail` also per e-mail address in the body. Counts
 * by the path as it was declared, so that writing the path in another case does not start a new count.
 */
export const limited =
  (path: string, { byEmail = false }: { byEmail?: boolean } = {}): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { auth, clientAddress } = c.get("services");
    const { email } = membersOf(c.get("body"));
    const allowance = await auth.rateLimit.count({
      path,
      address: clientAddress(c),
      ...(byEmail ? { email } : {}),
    });
    if (allowance) {
      c.header("X-RateLimit-Limit", String(allowance.limit));
      c.header("X-RateLimit-Remaining", String(allowance.remaining));
      c.header("X-RateLimit-Reset", String(allowance.reset));
      if (allowance.exceeded) throw tooMany();
    }
    await next();
  };
