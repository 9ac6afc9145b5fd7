import { defineExtension } from "galley-cms";

export default defineExtension({
  routes: (router) => {
    router.get("/articles/next", (context) => context.json({ data: null }));
  },
});
