import { defineConfig } from "galley-cms";

export default defineConfig({
  permissions: {
    authenticated: [
      ...["find", "findOne", "create", "delete"].map((action) => `api::favorite.favorite.${action}`),
      // Whoever marks a page has to be able to find it.
      "api::page.page.find",
    ],
  },
});
