/** `/connect/...`: logging in with an identity provider. Code that talks to providers is loaded at the first login. */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { issueCode, redeemCode } from "../../accounts/codes.ts";
import {
  openState,
  sealState,
  STATE_COOKIE,
  STATE_LIFESPAN,
  userOfProfile,
} from "../../accounts/providers/provider-login.ts";
import type { Profile } from "../../accounts/providers/providers.ts";
import { checkMayLogIn, recordingRefusal } from "../../accounts/users/login.ts";
import { publicAddress } from "../../accounts/users/mails.ts";
import { ApplicationError, HttpError, ValidationError } from "../../base/errors.ts";
import type { AppEnv, Services } from "../context.ts";
import { can, router } from "../rest/router.ts";
import { answerLogin, limited } from "./auth-routes.ts";

/** Seconds that a front end has to exchange the code from the redirect for tokens. */
const CODE_LIFESPAN = 60;

/** The cookie that binds a code to this browser; checked when a login would set a cookie. */
const CODE_COOKIE = "galley_provider_code";

const digestOf = (code: string): string => createHash("sha256").update(code).digest("base64url");

/**
 * Binds a code to the browser that it is issued to. Otherwise another site could send a visitor's browser to the callback
 * with a code of its own, and the cookie of the response would log the visitor in as somebody else.
 */
const bindCode = (c: Context<AppEnv>, code: string): void => {
  const { config, production } = c.get("services");
  const { httpOnly, cookie } = config.auth.sessions;
  if (!httpOnly) return;
  setCookie(c, CODE_COOKIE, digestOf(code), {
    httpOnly: true,
    maxAge: CODE_LIFESPAN,
    path: `${config.rest.prefix}/auth`,
    sameSite: cookie.sameSite,
    secure: cookie.secure ?? production,
  });
};

/** Refuses a code that was issued to another browser, where the response would set a cookie. */
const checkBound = (c: Context<AppEnv>, code: string): void => {
  const { config } = c.get("services");
  if (!config.auth.sessions.httpOnly) return;
  const bound = getCookie(c, CODE_COOKIE);
  deleteCookie(c, CODE_COOKIE, { path: `${config.rest.prefix}/auth` });
  if (bound !== digestOf(code)) throw new ValidationError("This login was not started here, or took too long");
};

const callbackOf = (services: Services, name: string): string =>
  publicAddress(services, `/connect/${encodeURIComponent(name)}/callback`);

const cookiePath = ({ config }: Services): string => `${config.rest.prefix}/connect`;

/** Asks the provider for the profile of the user whom it has just redirected back to us. */
const profileOf = async (c: Context<AppEnv>, name: string): Promise<Profile> => {
  const services = c.get("services");
  const { provider, config } = await services.auth.providers.named(name);
  const remembered = await openState(services.secrets.jwt, getCookie(c, STATE_COOKIE));
  deleteCookie(c, STATE_COOKIE, { path: cookiePath(services) });
  if (remembered?.provider !== name) throw new ValidationError("This login was not started here, or took too long");
  const { arrive } = await import("../../accounts/providers/exchange.ts");
  try {
    return await arrive(provider, config, callbackOf(services, name), {
      ...remembered,
      parameters: new URL(c.req.url).searchParams,
    });
  } catch (error) {
    if (error instanceof HttpError) throw error;
    services.log.warn({ err: error, provider: name }, "a login at a provider failed");
    throw new ApplicationError("The login at the provider did not succeed");
  }
};

export const connectRoutes = router()
  .get("/connect/:provider", can("plugin::users-permissions.auth.connect"), limited("/connect"), async (c) => {
    const services = c.get("services");
    const name = c.req.param("provider");
    const { provider, config } = await services.auth.providers.named(name);
    const { depart } = await import("../../accounts/providers/exchange.ts");
    const { address, state, verifier } = await depart(provider, config, callbackOf(services, name));
    setCookie(c, STATE_COOKIE, await sealState(services.secrets.jwt, { provider: name, state, verifier }), {
      httpOnly: true,
      maxAge: STATE_LIFESPAN,
      path: cookiePath(services),
      sameSite: "Lax",
      secure: services.production,
    });
    return c.redirect(address, 302);
  })
  .get("/connect/:provider/callback", can("plugin::users-permissions.auth.connect"), limited("/connect"), async (c) => {
    const services = c.get("services");
    const name = c.req.param("provider");
    const { caller } = c.var;
    const user = await recordingRefusal(services, caller, undefined, async () =>
      userOfProfile(services, caller, name, await profileOf(c, name)),
    );
    const code = await issueCode(services.database, "provider-login", user.documentId, CODE_LIFESPAN);
    bindCode(c, code);
    const { redirect } = services.config.auth.providers[name] ?? {};
    const address = new URL(redirect ?? publicAddress(services, `/auth/${encodeURIComponent(name)}/callback`));
    // Front ends pass this parameter on to the callback route. It is not a token of the provider, but a code that we
    // issued and that can be used once.
    address.searchParams.set("access_token", code);
    return c.redirect(address.href, 302);
  })
  .get("/auth/:provider/callback", can("plugin::users-permissions.auth.callback"), limited("/connect"), async (c) => {
    const services = c.get("services");
    await services.auth.providers.named(c.req.param("provider"));
    const user = await recordingRefusal(services, c.var.caller, undefined, async () => {
      const code = c.req.query("access_token");
      if (code) checkBound(c, code);
      const found = code ? await redeemCode(services, "provider-login", code) : undefined;
      if (!found) throw new ValidationError("Invalid or expired access_token");
      checkMayLogIn(services, found);
      return found;
    });
    return answerLogin(c, user);
  });
