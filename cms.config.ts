import { defineConfig } from "galley-cms";

const readable = ["article", "author", "category", "tag"].flatMap((name) => [
  `api::${name}.${name}.find`,
  `api::${name}.${name}.findOne`,
]);

export default defineConfig({
  locales: { default: "en", codes: ["en", "de"] },
  permissions: {
    public: [...readable, "api::global.global.find", "api::homepage.homepage.find"],
    // Readers propose stories. Drafts are all that they may write.
    authenticated: ["api::article.article.create"],
  },
});
