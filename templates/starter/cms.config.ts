import { defineConfig } from "galley-cms";

export default defineConfig({
  // What visitors without a token may do. `cms permissions apply` makes it so.
  permissions: {
    public: ["api::article.article.find", "api::article.article.findOne"],
  },
});
