/** What public projects write as policies, route middlewares and controllers, in the words of an extension. */
import { defineExtension } from "galley-cms";
import type { RestPolicy } from "galley-cms/rest";

/** A policy that lets owners pass: who has the address of the author. */
const isOwner: RestPolicy = async ({ c, state }, _config, { services }) => {
  const documentId = c.req.param("documentId") ?? "";
  const user = await services.documents("plugin::users-permissions.user").findOne(state.caller.userDocumentId ?? "");
  return services.documents("api::author.author").exists({ filters: { documentId, email: user?.email ?? "" } });
};

export default defineExtension<"api::author.author">({
  rest: {
    policies: { update: [isOwner] },
    /** A route middleware that sets populate. */
    queries: { findOne: { populate: { articles: { fields: ["title", "slug"] } } } },
    /** A controller that adds to an answer. */
    handlers: {
      find: (next) => async (c) => {
        const answer = await (await next(c)).json();
        const drafts = await c.get("services").documents("api::article.article").count({ status: "draft" });
        return c.json({ ...answer, meta: { ...answer.meta, drafts } });
      },
    },
  },
});
