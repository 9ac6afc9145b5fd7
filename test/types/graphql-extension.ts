/** What the compiler says about the extension service: every marked line must be refused. Checked by `npm run typecheck`. */
import { defineApp } from "../../runtime/graphql/extension/app.ts";
import type { GraphqlExtension } from "../../runtime/graphql/extension/service.ts";

export const accepted = defineApp({
  policies: { isAuthor: (on) => on.state.caller.kind === "user" && on.type === "graphql" && on.args["id"] !== "1" },
  middlewares: {
    trace: async (next, parent, args, context, info) => {
      void context.services.db;
      // @ts-expect-error the connections are the runtime's own
      void context.services.database;
      return next(parent, { ...args }, context, info);
    },
  },
  register({ graphql }) {
    const article = graphql.shadowCRUD("api::article.article");
    article.disableAction("delete").disableActions(["create", "update"]).disableAction("*");
    article.field("title").disableOutput().disableInput().disableFilters();
    article.field("author").disable();
    article.field("createdAt").disableFilters();
    const disabled: boolean = article.isActionDisabled("find") && article.field("slug").hasFiltersEnabled();
    if (disabled) graphql.shadowCRUD("plugin::upload.file").field("caption").disable();
    graphql.shadowCRUD("plugin::users-permissions.user").disableMutations();

    graphql.use(({ builder }) => {
      builder.objectField("Article", "words", (t) =>
        t.int({
          args: { least: t.arg.int({ required: true }) },
          resolve: (article, { least }, { services }) => {
            void services.documents("api::tag.tag");
            // @ts-expect-error the secrets are the runtime's own
            void services.secrets;
            return article.title.split(" ").length + least;
          },
        }),
      );
      return {
        typeDefs: "extend type Query { now: DateTime }",
        resolvers: { Query: { now: (_root, _args, { caller, services: { own } }) => [caller.kind, own] } },
        resolversConfig: {
          "Query.now": {
            auth: { scope: ["api::article.article.find"] },
            policies: ["isAuthor", { name: "isAuthor", config: 1 }],
          },
          "Query.articles": {
            auth: false,
            middlewares: [
              "trace",
              { name: "trace", options: {} },
              (next, ...rest) => next(rest[0], rest[1], rest[2], rest[3]),
            ],
          },
        },
      };
    });
  },
});

export const refused = (graphql: GraphqlExtension): void => {
  // @ts-expect-error no such content type
  graphql.shadowCRUD("api::article.articel");
  const article = graphql.shadowCRUD("api::article.article");
  // @ts-expect-error no such attribute
  article.field("titel");
  // @ts-expect-error an attribute of another type
  article.field("username");
  // @ts-expect-error no such action
  article.disableAction("publish");
  // @ts-expect-error no such action among others
  article.disableActions(["find", "remove"]);
  // @ts-expect-error no such action
  article.isActionEnabled("count");
  graphql.use(({ builder }) => {
    // @ts-expect-error no such type
    builder.objectField("Artcle", "words", (t) => t.int({ resolve: () => 1 }));
    // @ts-expect-error no such attribute
    builder.objectField("Article", "words", (t) => t.string({ resolve: (article) => article.titel }));
    // @ts-expect-error not a text
    builder.objectField("Article", "words", (t) => t.string({ resolve: (article) => article.featured }));
    // @ts-expect-error not an article
    builder.queryField("first", (t) => t.field({ type: "Article", resolve: () => ({ title: 1 }) }));
    return {};
  });
  // @ts-expect-error a scope is a text or a list of them
  graphql.use({ resolversConfig: { "Query.articles": { auth: { scope: 1 } } } });
  // @ts-expect-error only false says that anybody may call
  graphql.use({ resolversConfig: { "Query.articles": { auth: true } } });
  // @ts-expect-error a configured policy has a name
  graphql.use({ resolversConfig: { "Query.articles": { policies: [{ config: 1 }] } } });
  // @ts-expect-error no such member
  graphql.use({ resolver: {} });
};
