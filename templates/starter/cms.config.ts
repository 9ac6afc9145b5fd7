import { defineConfig } from "galley-cms";

export default defineConfig({
  // For people who write: take the slashes away, and the next start prints a link to http://localhost:1337/admin.
  // panel: {},
  // What visitors without a token may do. Run `cms permissions apply` after a change.
  permissions: {
    public: ["api::article.article.find", "api::article.article.findOne"],
    // Roles for people who write. Create each once (POST /api/users-permissions/roles), then use these lines.
    // editor: [
    //   ...["find", "findOne", "create", "update", "delete"].map((action) => `api::article.article.${action}`),
    //   ...["readDraft", "publish", "unpublish", "discardDraft"].map((action) => `api::article.article.${action}`),
    // ],
    // Authors write drafts of their own: import `can` above, and give articles a relation `owner` to users (manyToOne,
    // "target": "plugin::users-permissions.user", "writable": false) and, by `cms add extension`, a hook that sets it:
    // beforeCreate: ({ data, caller }) => ({ ...data, owner: caller.userDocumentId ?? null }).
    // author: [
    //   "api::article.article.find",
    //   "api::article.article.findOne",
    //   can("api::article.article.readDraft", { where: ({ user }) => ({ owner: { id: user.id } }) }),
    //   can("api::article.article.create", { where: ({ user }) => ({ owner: { id: user.id } }) }),
    //   can("api::article.article.update", { where: ({ user }) => ({ owner: { id: user.id } }) }),
    //   can("api::article.article.delete", { where: ({ user }) => ({ owner: { id: user.id } }) }),
    // ],
  },
});
