/** A subscriber to the lifecycles of users, which greets those who are new. */
import { defineExtension } from "galley-cms";

export default defineExtension<"plugin::users-permissions.user">({
  hooks: {
    async afterCreate({ document, services }) {
      await services.mailer.send({ to: document.email ?? "", subject: "Welcome", text: `Hello ${document.username}` });
    },
  },
});
