import { defineExtension } from "galley-cms";

export default defineExtension<"api::example.example">({
  hooks: {
    async afterCreate({ document, services }) {
      services.log.info({ documentId: document.documentId }, "a new example");
    },
  },
});
