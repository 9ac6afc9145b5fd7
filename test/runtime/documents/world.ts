/** Two content types with drafts, relations in both directions, locales, a component and a unique attribute. */
import { type AnyPgColumn, integer, json, pgTable, varchar } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Extension } from "../../../runtime/app/extension.ts";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { anyDocuments, type AnyDocuments } from "../../../runtime/documents/create-documents.ts";
import type { App } from "../../../runtime/graphql/extension/app.ts";
import type { Services } from "../../../runtime/http/context.ts";
import {
  columnIndex,
  inverseIndex,
  inversePosition,
  linkColumns,
  linkIndexes,
  localeColumn,
  toDocument,
  uniqueAmongPublished,
  versionColumns,
  versionIndexes,
} from "../../../runtime/schema/columns.ts";
import {
  type ComponentFields,
  defineComponent,
  defineContentType,
  type DocumentFields,
} from "../../../runtime/schema/content-type.ts";
import { toMany, toOne } from "../../../runtime/schema/validators.ts";
import { createTables } from "../../support/create-tables.ts";
import { testServices } from "../../support/services.ts";

export interface Note extends ComponentFields {
  text: string;
  stars: number | null;
}

export interface Topic extends DocumentFields {
  name: string;
  posts?: Post[];
  leads?: Post[];
  coverOf?: Post | null;
}

export interface Post extends DocumentFields {
  locale: string;
  localizations?: Post[];
  title: string;
  rating: number | null;
  topics?: Topic[];
  lead?: Topic | null;
  cover?: Topic | null;
  note?: Note | null;
  notes?: Note[];
}

const topics = pgTable("topics", { ...versionColumns(), name: varchar("name", { length: 255 }) }, (version) => [
  ...versionIndexes(version),
]);

const posts = pgTable(
  "posts",
  {
    ...versionColumns(),
    ...localeColumn(),
    title: varchar("title", { length: 255 }),
    rating: integer("rating"),
    lead: toDocument("lead_document_id"),
    leadPosition: inversePosition("lead_position"),
    cover: toDocument("cover_document_id"),
    note: json("note"),
    notes: json("notes"),
  },
  (version) => [
    ...versionIndexes(version),
    inverseIndex(version.lead, version.leadPosition),
    columnIndex(version.cover),
    uniqueAmongPublished(version.title, version),
  ],
);

const postsTopics = pgTable(
  "posts_topics",
  { ...linkColumns((): AnyPgColumn => posts.id), inversePosition: inversePosition("inverse_position") },
  linkIndexes,
);

const note = defineComponent<Note>({
  uid: "shared.note",
  attributes: { text: { type: "string" }, stars: { type: "integer" } },
});
const noteDraft = z.object({ text: z.string().max(255).nullish(), stars: z.int32().nullish().default(3) });
const noteSchema = noteDraft.extend({ text: z.string().max(255) });

const topic = defineContentType<Topic>({
  uid: "api::topic.topic",
  kind: "collectionType",
  singularName: "topic",
  pluralName: "topics",
  draftAndPublish: true,
  localized: false,
  table: topics,
  attributes: {
    name: { type: "string", column: topics.name },
    posts: { type: "relation", relation: "manyToMany", target: "api::post.post", mappedBy: "topics" },
    leads: { type: "relation", relation: "oneToMany", target: "api::post.post", mappedBy: "lead" },
    coverOf: { type: "relation", relation: "oneToOne", target: "api::post.post", mappedBy: "cover" },
  },
});

const post = defineContentType<Post>({
  uid: "api::post.post",
  kind: "collectionType",
  singularName: "post",
  pluralName: "posts",
  draftAndPublish: true,
  localized: true,
  table: posts,
  attributes: {
    title: { type: "string", column: posts.title, unique: true, localized: true },
    rating: { type: "integer", column: posts.rating },
    topics: {
      type: "relation",
      relation: "manyToMany",
      target: "api::topic.topic",
      link: postsTopics,
    },
    lead: {
      type: "relation",
      relation: "manyToOne",
      target: "api::topic.topic",
      column: posts.lead,
      inversePosition: posts.leadPosition,
    },
    cover: {
      type: "relation",
      relation: "oneToOne",
      target: "api::topic.topic",
      column: posts.cover,
      inverse: "coverOf",
    },
    note: { type: "component", component: "shared.note", column: posts.note, localized: true },
    notes: { type: "component", component: "shared.note", repeatable: true, column: posts.notes, localized: true },
  },
});

const topicDraft = z.object({
  name: z.string().max(255).nullish(),
  posts: toMany().optional(),
  leads: toMany().optional(),
  coverOf: toOne().nullish(),
});
const postDraft = z.object({
  title: z.string().max(40).nullish(),
  rating: z.int32().nullish(),
  topics: toMany().optional(),
  lead: toOne().nullish(),
  cover: toOne().nullish(),
  note: noteDraft.nullish(),
  notes: z.array(noteDraft).optional(),
});

const contentTypes = {
  "api::topic.topic": {
    type: topic,
    draftValidator: topicDraft,
    validator: topicDraft.extend({ name: z.string().max(255) }),
  },
  "api::post.post": {
    type: post,
    draftValidator: postDraft,
    validator: postDraft.extend({
      title: z.string().max(40),
      rating: z.int32().min(0).nullish(),
      note: noteSchema.nullish(),
      notes: z.array(noteSchema).max(5).optional(),
    }),
  },
} as const;

export const tables = { topics, posts, postsTopics };

export interface World {
  readonly services: Services;
  readonly posts: ReturnType<AnyDocuments>;
  readonly topics: ReturnType<AnyDocuments>;
}

/** The application over a new database. */
export const createWorld = async (
  database: Database,
  extension?: Extension,
  config: ConfigInput = {},
  app?: App,
): Promise<World> => {
  await createTables(database, tables);
  const services = await testServices(
    {
      contentTypes,
      components: { "shared.note": { component: note, validator: noteSchema } },
      extensions: extension ? { "api::post.post": extension } : {},
      app,
    },
    { database, config: { locales: { default: "en", codes: ["en", "fr"] }, database: { lockSeconds: 60 }, ...config } },
  );
  const documents = anyDocuments(services);
  return { services, posts: documents("api::post.post"), topics: documents("api::topic.topic") };
};
