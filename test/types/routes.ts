/** What the compiler says about routes: every marked line must be refused. Checked by `npm run typecheck`. */
import { z } from "zod";
import { defineExtension } from "../../runtime/app/extension.ts";
import { can, everyone, type RestPolicy, schemas } from "../../runtime/http/rest/index.ts";

export const policy: RestPolicy = ({ c, state }, _config, { services }) => {
  // @ts-expect-error the connections are the runtime's own
  void services.database;
  // @ts-expect-error so they are here
  void c.var.services.database;
  return state.caller.can("api::article.article.find") && services.documents("api::article.article").exists();
};

export default defineExtension<"api::article.article">({
  rest: { handlers: { find: (next) => async (c) => (c.get("caller").kind === "public" ? c.notFound() : next(c)) } },
  routes(router) {
    router.get("/own/:word", everyone(), async (c) => {
      const { documents, db, transaction } = c.get("services");
      // @ts-expect-error the connections are the runtime's own
      void c.get("services").database;
      // @ts-expect-error the secrets, too
      void c.get("services").secrets;
      void (await db.execute("select 1"));
      const word: string = c.req.param("word");
      return c.json({ word, count: await transaction((own) => own.documents("api::tag.tag").count()), documents });
    });
    const rated = schemas({ body: z.object({ stars: z.int() }), query: z.object({ page: z.coerce.number() }) });
    router.post("/own", can("api::article.article.rate"), rated, (c) => {
      const stars: number = c.get("body").stars;
      const page: number = c.get("query").page;
      // @ts-expect-error the connections are the runtime's own
      void c.get("services").database;
      return c.json({ stars, page });
    });
  },
});
