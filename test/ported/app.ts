/** What public projects write as a cron task, a bootstrap and an extension of GraphQL, in the words of `app.ts`. */
import { defineApp } from "galley-cms";
import { storeFile } from "galley-cms/media";

export default defineApp({
  /** A middleware of the document service that tells of what changes, whatever its content type. */
  hooks: {
    afterPublish: ({ uid, documentId, services }) => services.log.info({ uid, documentId }, "is out"),
    afterUnpublish: ({ uid, documentId, services }) => services.log.info({ uid, documentId }, "is gone"),
  },
  /** A bootstrap that makes what has to be there. */
  async bootstrap({ services: { documents } }) {
    const tags = documents("api::tag.tag");
    if (!(await tags.exists())) await tags.create({ data: { name: "News", slug: "news" } });
  },
  /** A cron task. */
  tasks: {
    /** A cron task that uploads a file. */
    report: {
      schedule: "0 5 * * *",
      async run({ services }) {
        const articles = await services.documents("api::article.article").find({ fields: ["title"] });
        const content = Buffer.from(articles.map(({ title }) => title).join("\n"));
        await services.transaction((tools) =>
          storeFile(tools.services, { name: "report.txt", type: "text/plain", content }),
        );
      },
    },
    unpublishOld: {
      schedule: "0 4 * * *",
      async run({ services }) {
        const articles = services.documents("api::article.article");
        const old = await articles.find({
          filters: { publishedAt: { $lt: "2020-01-01T00:00:00Z" } },
          fields: ["slug"],
        });
        await services.transaction(async ({ documents }) => {
          for (const { documentId } of old) await documents("api::article.article").unpublish(documentId);
        });
        services.log.info({ slugs: old.map(({ slug }) => slug) }, "took old articles away");
      },
    },
  },
  /** A field of GraphQL with a resolver. */
  register({ graphql }) {
    graphql.use({
      typeDefs: "extend type Query { articlesOf(name: String!): Int }",
      resolvers: {
        Query: {
          articlesOf: (_root, args: { readonly name?: string }, { services }) =>
            services
              .documents("api::article.article")
              .count({ status: "draft", filters: { author: { name: args.name ?? "" } } }),
        },
      },
      resolversConfig: { "Query.articlesOf": { auth: false } },
    });
  },
});
