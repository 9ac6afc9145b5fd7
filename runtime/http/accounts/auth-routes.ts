/** `/auth/...`: logging in and out, registration, passwords, sessions. */
import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import { optionalText, readBody } from "../../accounts/body-check.ts";
import { logIn } from "../../accounts/users/login.ts";
import { changePassword, forgotPassword, resetPassword } from "../../accounts/users/new-password.ts";
import { confirmEmail, register, sendConfirmation } from "../../accounts/users/register.ts";
import {
  endOwnSessions,
  ownSessions,
  refreshSession,
  revokeSession,
  sessionOf,
} from "../../accounts/users/sessions.ts";
import { userText, withRole } from "../../accounts/users/user-reads.ts";
import { NotFoundError } from "../../base/errors.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";
import { parsedQueryOf } from "../rest/read-request.ts";
import { can, router } from "../rest/router.ts";
import { answerLogin, clearRefreshCookie, refreshTokenOf, takesNoForms, tokenMembers } from "./answer.ts";
import { limited } from "./limited.ts";

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
