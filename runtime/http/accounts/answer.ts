/** Responses of authentication: not wrapped in `data`. */
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { membersOf } from "../../accounts/body-check.ts";
import { type Tokens, issueTokens } from "../../accounts/users/sessions.ts";
import type { Device } from "../../accounts/users/sessions.ts";
import { userText } from "../../accounts/users/user-reads.ts";
import type { User } from "../../accounts/users/user-store.ts";
import { BadRequestError } from "../../base/errors.ts";
import { takesCookies } from "../../config/cookies.ts";
import type { RawQuery } from "../../query/index.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";

/** Whether the refresh token goes into a cookie, because the configuration says so or the client asks for it. */
const wantsCookie = (c: Context<AppEnv>): boolean =>
  c.get("services").config.auth.sessions.httpOnly ||
  c.req.header("x-strapi-refresh-cookie")?.toLowerCase() === "httponly";

/**
 * Refuses form bodies on routes whose answer would set a cookie. Browsers send forms from any page to any site, so a
 * foreign page could log its visitor in as somebody else. JSON bodies they send only from pages that CORS allows.
 */
export const takesNoForms: MiddlewareHandler<AppEnv> = (c, next) => {
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
export const clearRefreshCookie = (c: Context<AppEnv>): void => {
  if (getCookie(c, c.get("services").config.auth.sessions.cookie.name) !== undefined) setRefreshCookie(c, "", 0);
};

/** The refresh token of a request, from its body or else from its cookie. */
export const refreshTokenOf = (c: Context<AppEnv>): string | undefined => {
  const { refreshToken } = membersOf(c.get("body"));
  if (typeof refreshToken === "string" && refreshToken !== "") return refreshToken;
  return getCookie(c, c.get("services").config.auth.sessions.cookie.name);
};

/**
 * The tokens as members of the response's JSON. Where the refresh token goes into a cookie, sets that instead.
 */
export const tokenMembers = (
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
