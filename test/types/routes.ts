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
  rest: {
    handlers: {
      find: (next) => async (c) => {
        if (c.get("caller").kind === "public") return c.notFound();
        const { data, meta } = await (await next(c)).json();
        const titles: (string | null | undefined)[] = data.map(({ title, attributes }) => title ?? attributes?.title);
        const name: string | undefined = data[0]?.author?.name;
        const total: number | undefined = meta.pagination.total;
        // @ts-expect-error no such attribute
        void data[0]?.titel;
        // @ts-expect-error a draft, or another query, lacks it
        const title: string = data[0]?.title;
        return c.json({ titles, name, total, title });
      },
      update: (next) => async (c) => {
        const { data } = await (await next(c)).json();
        // @ts-expect-error one document is no list
        void data.length;
        return c.json({ data, id: data.documentId.length });
      },
    },
  },
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

export const homepage = defineExtension<"api::homepage.homepage">({
  rest: {
    handlers: {
      find: (next) => async (c) => {
        const { data } = await (await next(c)).json();
        // @ts-expect-error a single type has one document
        void data.map;
        return c.json({ title: data.title ?? null, image: data.seo?.metaTitle ?? null });
      },
    },
  },
});

export const user = defineExtension<"plugin::users-permissions.user">({
  rest: {
    handlers: {
      find: (next) => async (c) => c.json((await (await next(c)).json()).map(({ username }) => username)),
      me: (next) => async (c) => {
        const { username, role, ...rest } = await (await next(c)).json();
        // @ts-expect-error users stand by themselves
        void rest.data;
        return c.json({ username, role: role?.name });
      },
      count: (next) => async (c) => c.json({ count: (await (await next(c)).json()).toFixed() }),
    },
  },
});

export const untyped = defineExtension({
  rest: { handlers: { find: (next) => async (c) => c.json({ was: await (await next(c)).json() }) } },
});
