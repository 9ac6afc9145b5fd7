/** A server with articles that take files, on a fresh database and an empty folder, and ways to upload to it. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { integer, json, pgTable, varchar } from "drizzle-orm/pg-core";
import type { Hono } from "hono";
import { z } from "zod";
import type { Caller } from "../../runtime/access/caller.ts";
import { type Application, defineApplication } from "../../runtime/app/application.ts";
import { createHonoApp } from "../../runtime/app/server.ts";
import { closeServices, createServices } from "../../runtime/app/start.ts";
import { createLogger } from "../../runtime/base/log.ts";
import { type ConfigInput, configSchema } from "../../runtime/config/config.ts";
import type { Database } from "../../runtime/database/database.ts";
import type { BuilderOf } from "../../runtime/graphql/builder.ts";
import type { AppEnv, Services } from "../../runtime/http/context.ts";
import { can, create, findOne, router, update } from "../../runtime/http/rest/index.ts";
import { fileLinkColumns, linkIndexes, toFile, versionColumns } from "../../runtime/schema/columns.ts";
import {
  type ComponentFields,
  defineComponent,
  defineContentType,
  type DocumentFields,
  type File,
  type Json,
} from "../../runtime/schema/content-type.ts";
import { fileId, fileIds } from "../../runtime/schema/validators.ts";
import { createTables } from "./create-tables.ts";
import { freshDatabase } from "./database.ts";
import { secrets } from "./services.ts";

interface Article extends DocumentFields {
  title: string | null;
  rank: number | null;
  cover?: File | null;
  gallery?: File[];
  hero?: Hero | null;
  sections?: (Hero & { __component: "blocks.hero" })[];
}
interface Hero extends ComponentFields {
  picture?: File | null;
}

export const articles = pgTable("articles", {
  ...versionColumns(),
  title: varchar("title", { length: 255 }),
  rank: integer("rank"),
  cover: toFile("cover_id"),
  hero: json("hero").$type<Json>(),
  sections: json("sections").$type<Json>(),
});
export const articlesGallery = pgTable("articles_gallery", { ...fileLinkColumns(() => articles.id) }, (link) =>
  linkIndexes(link),
);

const hero = defineComponent<Hero>({
  uid: "blocks.hero",
  attributes: { picture: { type: "media", allowedTypes: ["images"] } },
});
const heroSchema = z.object({ picture: fileId().nullish() });

const article = defineContentType<Article>({
  uid: "api::article.article",
  kind: "collectionType",
  singularName: "article",
  pluralName: "articles",
  draftAndPublish: false,
  localized: false,
  table: articles,
  attributes: {
    title: { type: "string", column: articles.title },
    rank: { type: "integer", column: articles.rank },
    cover: { type: "media", column: articles.cover, allowedTypes: ["images"] },
    gallery: { type: "media", multiple: true, link: articlesGallery },
    hero: { type: "component", component: "blocks.hero", column: articles.hero },
    sections: { type: "dynamiczone", components: ["blocks.hero"], column: articles.sections },
  },
});

type GraphqlBuilder = BuilderOf<{ readonly Article: Article }>;

/** Typed by the interfaces of this file: those of a project are another builder's. */
const graphql = ((builder: GraphqlBuilder): void => {
  builder.contentType("Article", {
    type: article,
    fields: (t) => ({ title: t.exposeString("title"), cover: t.file("cover"), gallery: t.files("gallery") }),
  });
  builder.queryFields((t) => ({ article: t.findOne("Article", { can: "api::article.article.findOne" }) }));
}) as never;

const application: Application = defineApplication({
  contentTypes: {
    "api::article.article": {
      type: article,
      graphql,
      validator: z.object({
        title: z.string().max(255).nullish(),
        rank: z.int32().nullish(),
        cover: fileId().nullish(),
        gallery: fileIds().optional(),
        hero: heroSchema.nullish(),
        sections: z
          .array(z.discriminatedUnion("__component", [heroSchema.extend({ __component: z.literal("blocks.hero") })]))
          .optional(),
      }),
      routes: router()
        .post("/articles", can("api::article.article.create"), create(article))
        .get("/articles/:documentId", can("api::article.article.findOne"), findOne(article))
        .put("/articles/:documentId", can("api::article.article.update"), update(article)),
    },
  },
  components: { "blocks.hero": { component: hero, validator: heroSchema } },
  extensions: {},
});

export interface MediaApp {
  readonly app: Hono<AppEnv>;
  readonly services: Services;
  readonly database: Database;
  /** The project's folder. */
  readonly root: string;
  /** Names in the folder of uploads, sorted. */
  stored(): Promise<string[]>;
  /** Names in the folder where files are taken in. */
  unfinished(): Promise<string[]>;
}

type Cleanup = (work: () => Promise<void>) => void;

const namesIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch(() => []);
  return names.toSorted();
};

/** Builds the server; everybody may do everything unless `caller` says otherwise. */
export const mediaApp = async (
  cleanup: Cleanup,
  { config = {}, caller, database }: { config?: ConfigInput; caller?: Caller; database?: Database } = {},
): Promise<MediaApp> => {
  const root = await mkdtemp(join(tmpdir(), "galley-media-"));
  cleanup(() => rm(root, { recursive: true, force: true }));
  const parsed = configSchema.parse(config);
  const fresh = database ?? (await freshDatabase("postgres", cleanup));
  if (!database) await createTables(fresh, { articles, articlesGallery });
  const made = await createServices({
    config: parsed,
    database: fresh,
    application,
    secrets,
    root,
    log: createLogger({ level: "silent" }),
  });
  cleanup(() => closeServices(made));
  const everybody: Caller = caller ?? { kind: "token", can: () => true };
  const services: Services = { ...made, auth: { ...made.auth, authenticate: () => everybody } };
  return {
    app: createHonoApp(services, application),
    services,
    database: fresh,
    root,
    stored: () => namesIn(join(root, "public", "uploads")),
    unfinished: () => namesIn(join(root, ".cms", "tmp")),
  };
};

/** One part of a form: a file where it has a name, else a text. */
export interface Part {
  readonly field?: string;
  readonly name?: string;
  readonly type?: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** A request body of such parts. */
export const form = (...parts: readonly Part[]): FormData => {
  const data = new FormData();
  for (const { field = "files", name, type = "", content } of parts) {
    if (name === undefined) data.append(field, String(content));
    else data.append(field, new Blob([content], { type }), name);
  }
  return data;
};
