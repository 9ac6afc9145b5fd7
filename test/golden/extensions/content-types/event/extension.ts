import { defineExtension } from "galley-cms";

export default defineExtension({
  routes: (router) => {
    router.get("/events/next", (context) => context.json({ data: null }));
  },
});
