/** What whoever runs the server needs besides content: API tokens, invitations, and the activity of the last day. */
import { z } from "zod";
import type { Caller } from "../../access/caller.ts";
import { demandToHave } from "../../access/giving.ts";
import {
  announceTokens,
  createApiToken,
  createRights,
  listApiTokens,
  type NewApiToken,
  revokeApiToken,
  tokenAct,
} from "../../accounts/api-tokens.ts";
import { membersOf, onlyThese, optionalText, readBody, text } from "../../accounts/body-check.ts";
import { invite } from "../../accounts/roles/invitations.ts";
import { userIdOf } from "../../accounts/users/user-management.ts";
import { findUserBy, type User, userUid } from "../../accounts/users/user-store.ts";
import { NotFoundError, ValidationError } from "../../base/errors.ts";
import { recordAct, recordedChange } from "../../documents/recorders.ts";
import type { Feature, Services } from "../../http/context.ts";
import { can, type Router, router } from "../../http/rest/router.ts";
import { createActivity } from "../../telemetry/activity.ts";
import { readPublications } from "../../telemetry/publications.ts";
import type { PanelConfig } from "./mount.ts";
import { withPresence } from "./presence.ts";

const newToken = onlyThese({
  name: text,
  description: optionalText,
  type: z.enum(["read-only", "full-access", "custom"]),
  permissions: z.array(z.string()).optional(),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
});

const tokenIn = ({ actions }: Services, body: unknown): NewApiToken => {
  const { description, permissions = [], expiresAt = null, ...token } = readBody(newToken, membersOf(body)["data"]);
  if ((token.type === "custom") !== permissions.length > 0)
    throw new ValidationError("a custom token needs permissions, and only such a token has them");
  const unknown = permissions.find((action) => !actions.has(action));
  if (unknown !== undefined) throw new ValidationError(`There is no action "${unknown}"`);
  const described = typeof description === "string" ? { description } : {};
  return { ...token, ...described, permissions, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
};

const action = (name: string) => can(`plugin::panel.${name}`);

const tokenRoutes = (): Router =>
  router()
    .get("/api-tokens", action("token.list"), async (c) =>
      c.json({ data: await listApiTokens(c.get("services").database) }),
    )
    .post("/api-tokens", action("token.create"), async (c) => {
      const services = c.get("services");
      const token = tokenIn(services, c.get("body"));
      demandToHave(c.get("caller"), "Such a token", [...services.actions].filter(createRights()(token)));
      const secret = await recordedChange(services, tokenAct("token.create", token), c.get("caller"), (session) =>
        createApiToken(session, services.secrets.tokenSalt, token),
      );
      const made = (await listApiTokens(services.database)).find(({ name }) => name === token.name);
      return c.json({ data: { ...made, secret } }, 201);
    })
    .delete("/api-tokens/:id", action("token.revoke"), async (c) => {
      const services = c.get("services");
      const token = (await listApiTokens(services.database)).find(({ id }) => String(id) === c.req.param("id"));
      if (!token) throw new NotFoundError("Token not found");
      await recordedChange(services, tokenAct("token.revoke", token), c.get("caller"), (session) =>
        revokeApiToken(session, token.name),
      );
      await announceTokens(services.database);
      return c.body(null, 204);
    });

/** Refuses to let a caller set the password of a user who may do more. Users of one role may do the same. */
const demandToMatch = ({ auth, actions }: Services, caller: Caller, { roleDocumentId }: User): void => {
  if (roleDocumentId === null) return;
  const role = auth.roles.byDocumentId(roleDocumentId);
  if (role && role.id === caller.roleId) return;
  // A role that this process does not know yet may do anything.
  demandToHave(caller, "This user", role ? [...actions].filter(role.can) : [...actions]);
};

/** The routes of administrators, and the count of requests that one of them shows. */
export const openAdministration = (panel: PanelConfig): { readonly feature: Feature } => {
  const activity = createActivity();
  const routes = tokenRoutes()
    .post("/users/:id/invitation", action("user.invite"), async (c) => {
      const services = c.get("services");
      const user = await findUserBy(services, { id: userIdOf(c.req.param("id")) });
      if (!user) throw new NotFoundError("User not found");
      demandToMatch(services, c.get("caller"), user);
      const subject = { type: userUid, id: user.documentId, name: user.username };
      await recordAct(services.database, services.recorders, { action: "user.invite", subject }, c.get("caller"));
      return c.json({ data: await invite(services, panel, user) });
    })
    .get("/panel/activity", action("activity.read"), async (c) => {
      const { since, hours } = activity.read();
      const publications = await readPublications(c.get("services"), c.get("caller"), hours[0]?.at ?? since);
      return c.json({
        data: hours.map((hour) => ({ ...hour, publications: publications.get(hour.at) ?? 0 })),
        meta: { since },
      });
    })
    .get("/panel/findings", action("findings.read"), async (c) => {
      const { examine } = c.get("services");
      if (!examine) throw new NotFoundError("Only servers that cms start or cms dev runs can be examined");
      return c.json({ data: await examine() });
    });
  return { feature: { tables: [], request: activity.observe, ...withPresence(routes, panel) } };
};
