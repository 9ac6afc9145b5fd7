/** `/auth/...`: logging in and out, registration, passwords, sessions. Answers are not wrapped in `data`. */
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { z } from "zod";
import { membersOf, optionalText, readBody } from "../../accounts/body-check.ts";
import { tooMany } from "../../accounts/rate-limit.ts";
import { changePassword, forgotPassword, logIn, resetPassword } from "../../accounts/users/login.ts";
import { confirmEmail, register, sendConfirmation } from "../../accounts/users/register.ts";
import {
  type Device,
  endOwnSessions,
  issueTokens,
  ownSessions,
  refreshSession,
  revokeSession,
  sessionOf,
  type Tokens,
} from "../../accounts/users/sessions.ts";
import { userText, withRole } from "../../accounts/users/user-reads.ts";
import type { User } from "../../accounts/users/user-store.ts";
import { BadRequestError, NotFoundError } from "../../base/errors.ts";
import { takesCookies } from "../../config/cookies.ts";
import type { RawQuery } from "../../query/index.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";
import { parsedQueryOf } from "../rest/exchange.ts";
import { can, router } from "../rest/router.ts";

/** Whether the refresh token goes into a cookie, because the configuration says so or the client asks for it. */
const wantsCookie = (c: Context<AppEnv>): boolean =>
  c.get("services").config.auth.sessions.httpOnly ||
  c.req.header("x-strapi-refresh-cookie")?.toLowerCase() === "httponly";

/**
 * Refuses form bodies on routes whose answer would set a cookie. Browsers send forms from any page to any site, so a
 * foreign page could log its visitor in as somebody else. JSON bodies they send only from pages that CORS allows.
 */
const takesNoForms: MiddlewareHandler<AppEnv> = (c, next) => {
  const isForm = /^\s*application\/x-www-form-urlencoded\b/i.test(c.req.header("content-type") ?? "");
  if (isForm && takesCookies(c.get("services").config) && wantsCookie(c)) {
    throw new BadRequestError("A login that is answered with a cookie takes JSON, and no form");
  }
  return next();
};

const setRefreshCookie = (c: Context<AppEnv>, token: string, lifespan: number): void => {
  const { config, production } = c.get("services");
  const { name, path, domain, sameSite, secure } = config.auth.sessions.cookie;
  setCookie(c, name, token, {
    httpOnly: true,
    maxAge: lifespan,
    path,
    sameSite,
    secure: secure ?? production,
    ...(domain === undefined ? {} : { domain }),
  });
};

/** Makes the browser forget the refresh token. */
const clearRefreshCookie = (c: Context<AppEnv>): void => {
  if (getCookie(c, c.get("services").config.auth.sessions.cookie.name) !== undefined) setRefreshCookie(c, "", 0);
};

/** The refresh token of a request, from its body or else from its cookie. */
const refreshTokenOf = (c: Context<AppEnv>): string | undefined => {
  const { refreshToken } = membersOf(c.get("body"));
  if (typeof refreshToken === "string" && refreshToken !== "") return refreshToken;
  return getCookie(c, c.get("services").config.auth.sessions.cookie.name);
};

/**
 * The tokens as members of the response's JSON. Where the refresh token goes into a cookie, sets that instead.
 */
const tokenMembers = (
  c: Context<AppEnv>,
  { jwt, refresh }: Tokens,
  always = false,
): { jwt: string; refreshToken?: string } => {
  if (!refresh) return { jwt };
  const inCookie = wantsCookie(c);
  if (inCookie) setRefreshCookie(c, refresh.token, refresh.lifespan);
  return inCookie && !always ? { jwt } : { jwt, refreshToken: refresh.token };
};

const deviceOf = (c: Context<AppEnv>): Device => {
  const { deviceId } = membersOf(c.get("body"));
  const deviceName = c.req.header("user-agent")?.slice(0, 255);
  return {
    ...(typeof deviceId === "string" && deviceId !== "" ? { deviceId: deviceId.slice(0, 255) } : {}),
    ...(deviceName === undefined ? {} : { deviceName }),
  };
};

/**
 * Logs a user in and answers `{ jwt, refreshToken?, user }`, where `query` populates the user. `inBody`: puts the
 * refresh token into the body even where the client asks for a cookie.
 */
export const answerLogin = async (
  c: Context<AppEnv>,
  user: User,
  { inBody = false, query = {} }: { readonly inBody?: boolean; readonly query?: RawQuery } = {},
): Promise<Response> => {
  const services = c.get("services");
  const members = tokenMembers(c, await issueTokens(services, c.get("caller"), user, deviceOf(c)), inBody);
  const text = JSON.stringify(members).slice(0, -1);
  return sendJson(c, `${text},"user":${await userText(services, c.get("caller"), user.id, query)}}`);
};

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

/**
 * Sessions exist in refresh mode only. In other modes these addresses answer 404 to callers who have the permission.
 */
const refreshModeOnly: MiddlewareHandler<AppEnv> = (c, next) => {
  if (c.get("services").config.auth.jwt.mode !== "refresh") throw new NotFoundError();
  return next();
};

const action = (name: string): MiddlewareHandler<AppEnv> => can(`plugin::users-permissions.auth.${name}`);

export const authRoutes = router()
  .post("/auth/local", action("callback"), takesNoForms, limited("/auth/local"), async (c) =>
    answerLogin(c, await logIn(c.get("services"), c.get("caller"), c.get("body"))),
  )
  .post(
    "/auth/local/register",
    action("register"),
    takesNoForms,
    limited("/auth/local/register", { byEmail: true }),
    async (c) => {
      const services = c.get("services");
      const user = await register(services, c.get("caller"), c.get("body"));
      if (!services.config.auth.register.confirmEmail) {
        return answerLogin(c, user, { inBody: true, query: withRole(c.get("caller")) });
      }
      return sendJson(c, `{"user":${await userText(services, c.get("caller"), user.id, withRole(c.get("caller")))}}`);
    },
  )
  .post(
    "/auth/forgot-password",
    action("forgotPassword"),
    limited("/auth/forgot-password", { byEmail: true }),
    async (c) => {
      await forgotPassword(c.get("services"), c.get("body"));
      return c.json({ ok: true });
    },
  )
  .post("/auth/reset-password", action("resetPassword"), takesNoForms, limited("/auth/reset-password"), async (c) =>
    answerLogin(c, await resetPassword(c.get("services"), c.get("caller"), c.get("body"))),
  )
  .post("/auth/change-password", action("changePassword"), limited("/auth/change-password"), async (c) =>
    answerLogin(c, await changePassword(c.get("services"), c.get("caller"), c.get("body"))),
  )
  .get("/auth/email-confirmation", action("emailConfirmation"), async (c) => {
    const services = c.get("services");
    await confirmEmail(services, c.get("caller"), parsedQueryOf(c));
    return c.redirect(services.config.auth.pages.emailConfirmed, 302);
  })
  .post(
    "/auth/send-email-confirmation",
    action("sendEmailConfirmation"),
    limited("/auth/send-email-confirmation", { byEmail: true }),
    async (c) => c.json({ email: await sendConfirmation(c.get("services"), c.get("body")), sent: true }),
  )
  .post("/auth/refresh", action("refresh"), refreshModeOnly, async (c) => {
    const tokens = await refreshSession(c.get("services"), refreshTokenOf(c));
    return c.json(tokenMembers(c, tokens));
  })
  .post("/auth/logout", action("logout"), refreshModeOnly, async (c) => {
    const services = c.get("services");
    const caller = c.get("caller");
    const { scope, deviceId } = readBody(z.object({ scope: optionalText, deviceId: optionalText }), c.get("body"));
    if (scope === "all") await endOwnSessions(services, caller, "all");
    else if (typeof deviceId === "string") await endOwnSessions(services, caller, { deviceId });
    else await endOwnSessions(services, caller, { sessionId: await sessionOf(services, caller, refreshTokenOf(c)) });
    clearRefreshCookie(c);
    return c.json({ ok: true });
  })
  .get("/auth/sessions", action("getSessions"), refreshModeOnly, async (c) =>
    c.json({ data: await ownSessions(c.get("services"), c.get("caller")) }),
  )
  .delete("/auth/sessions/:sessionId", action("revokeSession"), refreshModeOnly, async (c) => {
    await revokeSession(c.get("services"), c.get("caller"), c.req.param("sessionId"));
    return c.json({ data: {} });
  });
