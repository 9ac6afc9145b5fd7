import { defineExtension } from "galley-cms";
import { everyone } from "galley-cms/rest";

export default defineExtension({
  routes: (router) => {
    router.get("/articles/next", everyone(), (context) => context.json({ data: null }));
  },
});
