/** What belongs to no type: the front end that is told of changes, what happens at its time, what GraphQL has besides. */
import { defineApp } from "galley-cms";

interface Frontend {
  readonly told: readonly string[];
  revalidate(path: string): Promise<void>;
}

declare module "galley-cms" {
  interface OwnServices {
    frontend: Frontend;
  }
}

const connect = (): Frontend => {
  const told: string[] = [];
  return { told, revalidate: async (path) => void told.push(path) };
};

export default defineApp({
  services: () => ({ frontend: connect() }),
  tasks: {
    /** A cron task that publishes and takes away at the time that a document names. */
    schedule: {
      schedule: "*/2 * * * *",
      timeZone: "America/Vancouver",
      async run({ services: { documents } }) {
        const pages = documents("api::page.page");
        const now = new Date().toISOString();
        const due = { showFrom: { $lte: now }, $or: [{ showUntil: { $null: true } }, { showUntil: { $gt: now } }] };
        const drafts = await pages.find({ status: "draft", filters: due, fields: ["documentId"] });
        for (const { documentId } of drafts) {
          if (!(await pages.exists({ filters: { documentId } }))) await pages.publish(documentId);
        }
        const over = await pages.find({ filters: { showUntil: { $lte: now } }, fields: ["documentId"] });
        for (const { documentId } of over) await pages.unpublish(documentId);
      },
    },
  },
  register({ graphql }) {
    graphql.use(({ builder }) => {
      /** A field that is worked out of related documents. */
      builder.objectField("Page", "note", (t) =>
        t.float({
          resolve: async (page, _args, { services }) => {
            const filters = { page: { path: page.path ?? "" } };
            const reviews = await services.documents("api::review.review").find({ filters, fields: ["stars"] });
            const sum = reviews.reduce((all, { stars }) => all + stars, 0);
            return reviews.length === 0 ? null : sum / reviews.length;
          },
        }),
      );
      /** A query of its own, and a mutation that mails. */
      builder.queryField("titleAt", (t) =>
        t.string({
          can: [],
          args: { path: t.arg.string({ required: true }) },
          resolve: async (_root, { path }, { services }) =>
            (await services.documents("api::page.page").findFirst({ filters: { path } }))?.title ?? null,
        }),
      );
      builder.mutationField("contact", (t) =>
        t.boolean({
          can: [],
          args: { text: t.arg.string({ required: true }) },
          resolve: async (_root, { text }, { services }) => {
            await services.mailer.send({ to: "office@example.com", subject: "Contact", text });
            return true;
          },
        }),
      );
      return {};
    });
  },
});
