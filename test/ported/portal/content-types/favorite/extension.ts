/** What users have marked: each has and sees their own. */
import { defineExtension, ForbiddenError } from "galley-cms";
import type { RestPolicy } from "galley-cms/rest";

/** A policy by which only the owner passes. */
const isOwner: RestPolicy = ({ c, state }, _config, { services }) => {
  const [documentId = "", user = ""] = [c.req.param("documentId"), state.caller.userDocumentId];
  return services.documents("api::favorite.favorite").exists({ filters: { documentId, user: { documentId: user } } });
};

export default defineExtension<"api::favorite.favorite">({
  hooks: {
    /** A controller that writes down who asks. */
    beforeCreate({ data, caller }) {
      if (caller.userDocumentId === undefined) throw new ForbiddenError();
      const page = typeof data.page === "string" ? data.page : "";
      return { ...data, user: caller.userDocumentId, key: `${caller.userDocumentId} ${page}` };
    },
  },
  rest: {
    policies: { findOne: [isOwner], update: [isOwner], delete: [isOwner] },
    /** A controller that lists what belongs to who asks. */
    queries: {
      find: (c) => ({
        filters: { user: { documentId: c.get("caller").userDocumentId ?? "" } },
        populate: { page: { fields: ["title", "path"] } },
      }),
    },
  },
});
