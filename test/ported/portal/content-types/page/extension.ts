/** Pages in a tree, as portals have them: their paths, what is kept of them, and what their routes do. */
import { sql } from "drizzle-orm";
import { type Documents, defineExtension, UnauthorizedError, ValidationError } from "galley-cms";
import { can, everyone } from "galley-cms/rest";
import { check } from "../../lib/slug.ts";

/** A lifecycle that makes the path of a page of its parent's, and those of the pages below it. */
const followPath = async (documents: Documents, documentId: string): Promise<void> => {
  const pages = documents("api::page.page");
  const populate = { parent: { fields: ["path"] }, children: { fields: ["documentId"] } } as const;
  const page = await pages.findOne(documentId, { status: "draft", populate });
  if (!page) return;
  const path = `${page.parent?.path ?? ""}/${page.slug ?? ""}`;
  if (path === page.path) return;
  await pages.update(documentId, { data: { path }, status: "draft" });
  if (page.path !== null)
    await documents("api::redirect.redirect").create({ data: { source: page.path, target: path } });
  for (const child of page.children) await followPath(documents, child.documentId);
};

export default defineExtension<"api::page.page">({
  hooks: {
    beforeCreate: ({ data }) => check(data.slug),
    beforeUpdate: ({ data }) => check(data.slug),
    /** Document middlewares that tell the front end which of its pages to make anew. */
    afterPublish: ({ document, services }) => services.own.frontend.revalidate(document.path ?? "/"),
    afterUnpublish: ({ document, services }) => services.own.frontend.revalidate(document.path ?? "/"),
    inTransaction: {
      afterCreate: ({ documentId, documents }) => followPath(documents, documentId),
      /** A lifecycle that keeps what was there before, and who has changed it. */
      async afterUpdate({ documentId, previous, document, caller, documents }) {
        if (previous && previous.title !== document.title) {
          const by = caller.userDocumentId ?? caller.kind;
          await documents("api::revision.revision").create({ data: { of: documentId, title: previous.title, by } });
        }
        await followPath(documents, documentId);
      },
    },
    /** A soft deletion: nobody finds what is marked. */
    beforeRead: () => ({ filters: { $not: { deleted: true } } }),
  },
  rest: {
    middlewares: {
      /** A counter of views, by SQL: reading makes no new version. */
      findOne: [
        async (c, next) => {
          await next();
          const documentId = c.req.param("documentId");
          const count = sql`update pages set views = coalesce(views, 0) + 1 where document_id = ${documentId}`;
          if (c.res.ok) await c.get("services").db.execute(count);
        },
      ],
    },
    handlers: {
      delete: () => async (c) => {
        const pages = c.get("services").documents("api::page.page");
        const documentId = c.req.param("documentId") ?? "";
        await pages.update(documentId, { data: { deleted: true } });
        return c.body(null, 204);
      },
    },
  },
  routes(router) {
    /** A controller that finds by something else than the id. */
    router.get("/pages/at", can("api::page.page.find"), async (c) => {
      const path = c.req.query("path");
      if (path === undefined) throw new ValidationError("path is needed");
      const populate = { children: { fields: ["title", "path"] } } as const;
      const page = await c.get("services").documents("api::page.page").findFirst({ filters: { path }, populate });
      return page ? c.json({ data: page }) : c.notFound();
    });
    /** An endpoint for the people behind a front end, who have a word in common, that looks into dynamic zones. */
    router.get("/pages/with/:component", everyone(), async (c) => {
      if (c.req.header("x-secret") !== process.env["PORTAL_SECRET"]) throw new UnauthorizedError();
      const rows = await c.get("services").db.execute<{ title: string }>(sql`
        select distinct title from pages, json_array_elements(sections) as section
        where published_at is not null and section ->> '__component' = ${c.req.param("component")} order by title`);
      return c.json({ data: rows.map(({ title }) => title) });
    });
  },
});
