/** Routes of users, which take the id of a row instead of a documentId, and answer without `data`. */
import type { Context, MiddlewareHandler } from "hono";
import { addUser, editUser, removeUser, userIdOf } from "../../accounts/users/user-management.ts";
import { countUsers, findUser, findUserText, usersText, userText, withRole } from "../../accounts/users/user-reads.ts";
import { UnauthorizedError } from "../../base/errors.ts";
import { shown } from "../../documents/read-hooks.ts";
import { bareFormat, jsonOf, type RawQuery } from "../../query/index.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";
import { requestServices } from "../frame/client.ts";
import { parsedQueryOf } from "../rest/exchange.ts";
import { can, router } from "../rest/router.ts";

/** Middleware for an action on users, such as `user.find`. */
const action = (name: string): MiddlewareHandler<AppEnv> => can(`plugin::users-permissions.${name}`);

/** Answers with the JSON of a user, or with an empty body when there is no user. */
const answerText = (c: Context<AppEnv>, text: string | undefined): Response =>
  text === undefined ? c.body(null, 204) : sendJson(c, text);

const answerUser = async (c: Context<AppEnv>, id: number, query: RawQuery): Promise<Response> =>
  answerText(c, await findUserText(requestServices(c), c.get("caller"), id, query));

export const userRoutes = router()
  .get("/users/count", action("user.count"), async (c) =>
    c.json(await countUsers(requestServices(c), c.get("caller"), parsedQueryOf(c))),
  )
  .get("/users/me", action("user.me"), async (c) => {
    const { userId } = c.get("caller");
    if (userId === undefined) throw new UnauthorizedError();
    return answerUser(c, userId, parsedQueryOf(c));
  })
  .get("/users", action("user.find"), async (c) =>
    sendJson(c, await usersText(requestServices(c), c.get("caller"), parsedQueryOf(c))),
  )
  .post("/users", action("user.create"), async (c) => {
    const services = c.get("services");
    const { id } = await addUser(services, c.get("caller"), c.get("body"));
    return sendJson(c, await userText(services, c.get("caller"), id, withRole(c.get("caller"))), 201);
  })
  .get("/users/:id", action("user.findOne"), (c) => answerUser(c, userIdOf(c.req.param("id")), parsedQueryOf(c)))
  .put("/users/:id", action("user.update"), async (c) => {
    const services = c.get("services");
    const { id } = await editUser(services, c.get("caller"), userIdOf(c.req.param("id")), c.get("body"));
    return sendJson(c, await userText(services, c.get("caller"), id, withRole(c.get("caller"))));
  })
  .delete("/users/:id", action("user.destroy"), async (c) => {
    const services = c.get("services");
    const id = userIdOf(c.req.param("id"));
    const caller = c.get("caller");
    const user = await removeUser(services, caller, id, (session) => findUser(services, caller, id, {}, { session }));
    return answerText(
      c,
      user && jsonOf(await shown({ services, caller }, user), { format: bareFormat(services.config) }),
    );
  });
