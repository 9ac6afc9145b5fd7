/** What public projects write as lifecycles and custom routes of a content type, in the words of an extension. */
import slugify from "@sindresorhus/slugify";
import { count, sql } from "drizzle-orm";
import { defineExtension, ValidationError } from "galley-cms";
import { can } from "galley-cms/rest";
import { articles } from "../../generated/tables.ts";

export default defineExtension<"api::article.article">({
  hooks: {
    /** A lifecycle that makes a slug of the title. */
    beforeCreate: ({ data }) => (data.slug ? data : { ...data, slug: slugify(data.title ?? "") }),
    /** A middleware of the document service that checks what is published. */
    inTransaction: {
      async afterPublish({ documentId, documents }) {
        const article = await documents("api::article.article").findOne(documentId, { populate: { cover: true } });
        if (article?.featured && !article.cover) throw new ValidationError("A featured article needs a cover");
      },
    },
    /** A lifecycle that mails. */
    async afterPublish({ document, previous, services }) {
      if (previous) return;
      const text = `${document.title} is out: /articles/${document.slug}`;
      await services.mailer.send({ to: "readers@example.com", subject: document.title ?? "", text });
    },
  },
  /** A custom endpoint with SQL of its own. */
  routes(router) {
    router.get("/articles/months", can("api::article.article.months"), async (c) => {
      const month = sql<string>`to_char(${articles.createdAt}, 'YYYY-MM')`;
      const { db } = c.get("services");
      return c.json({
        data: await db.select({ month, articles: count() }).from(articles).groupBy(month).orderBy(month),
      });
    });
  },
});
