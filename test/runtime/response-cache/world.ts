/** The example on servers with and without a response cache, over one database, with things to do and to ask. */
import { vi } from "vitest";
import type { Database } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import type { Random } from "../../../scripts/chaos/random.ts";
import type { Cleanup, DatabaseKind } from "../../support/database.ts";
import { type ExampleApp, exampleApp } from "../../support/example-app.ts";
import { served } from "../../support/served-app.ts";
import { SOON } from "../../support/soon.ts";
import { openings } from "./openings.ts";

const config = (enabled: boolean) => ({
  cache: { enabled },
  locales: { default: "en", codes: ["en", "de"] },
  auth: { jwt: { mode: "legacy" as const } },
  fields: { authenticated: { "api::author.author": ["name", "slug"] } },
});

export interface Servers {
  /** Two with a response cache. */
  readonly caching: readonly ExampleApp[];
  /** One without. */
  readonly plain: ExampleApp;
  readonly all: readonly ExampleApp[];
  /** For statements that no server knows of. */
  readonly database: Database;
}

export const startServers = async (kind: DatabaseKind, cleanup: Cleanup): Promise<Servers> => {
  const open = await openings(kind, cleanup);
  const database = await open();
  await migrate(database, "generated/migrations");
  const serve = async (enabled: boolean): Promise<ExampleApp> =>
    served(await exampleApp(cleanup, await open(), config(enabled)), cleanup);
  const caching = [await serve(true), await serve(true)];
  const plain = await serve(false);
  return { caching, plain, all: [...caching, plain], database };
};

const TYPES = ["article", "author", "category", "tag"];
const READS = [...TYPES, "homepage", "global"].flatMap((name) => [
  `api::${name}.${name}.find`,
  `api::${name}.${name}.findOne`,
]);
const GRANTABLE = READS.filter((action) => !/(?:homepage|global)\.findOne/.test(action));

export const QUESTIONS: readonly string[] = [
  "/articles?pagination[pageSize]=3",
  "/articles?pagination[pageSize]=3&pagination[page]=2",
  "/articles?locale=de&populate=*",
  "/articles?status=draft&populate=author&sort=title",
  "/articles?filters[author][name][$contains]=1&populate[author][populate]=portrait",
  "/articles?filters[categories][name][$notNull]=true&fields=title&populate[categories][fields]=name",
  "/articles?populate[sections][populate]=*&populate[seo][populate]=*&populate[cover]=true&populate[localizations]=true",
  "/articles?_q=1&pagination[withCount]=false",
  "/articles?publicationFilter=modified&status=draft",
  "/authors?populate[articles][populate]=tags&sort=name",
  "/authors?fields=name",
  "/categories?populate[articles][count]=true",
  "/categories?locale=de",
  "/tags?populate=articles&filters[name][$in]=t1&filters[name][$in]=t2",
  "/tags",
  "/homepage?populate[sections][populate]=*",
  "/homepage?locale=de",
  "/global?populate=*",
];

/** What visitors and users may do there. */
const actionsOf = ({ services: { auth } }: ExampleApp): string =>
  JSON.stringify(["public", "authenticated"].map((type) => [...(auth.roles.byType(type)?.actions ?? [])].toSorted()));

/** What can be done to the content, by whom, and in any way. */
export class World {
  readonly #servers: Pick<Servers, "all" | "plain" | "database">;
  readonly #random: Random;
  readonly #token: string;
  /** Who asks: visitors, a user, an API token. */
  readonly users: readonly { readonly token: string | undefined }[];
  #number = 0;
  readonly #ids: Record<string, string[]> = { article: [], author: [], category: [], tag: [] };

  constructor(
    servers: Pick<Servers, "all" | "plain" | "database">,
    random: Random,
    { token, user }: { token: string; user: string },
  ) {
    this.#servers = servers;
    this.#random = random;
    this.#token = token;
    this.users = [undefined, undefined, user, token].map((each) => ({ token: each }));
  }

  /** The ids of documents that were made, some of which are gone. */
  idOf(type: string): string {
    const ids = this.#ids[type] ?? [];
    return ids.length === 0 ? "aaaaaaaaaaaaaaaaaaaaaaaa" : this.#random.pick(ids);
  }

  question(): string {
    if (this.#random.chance(0.75)) return this.#random.pick(QUESTIONS);
    const type = this.#random.pick(TYPES);
    return `/${type === "category" ? "categorie" : type}s/${this.idOf(type)}${this.#random.pick(["", "?populate=*"])}`;
  }

  /** Does something, and waits until it is answered. */
  async act(): Promise<void> {
    const random = this.#random;
    const actions: readonly (() => Promise<void>)[] = [
      () => this.#create(),
      () => this.#create(),
      () => this.#update(),
      () => this.#update(),
      () => this.#update(),
      () => this.#publication(),
      () => this.#remove(),
      () => this.#single(),
      () => this.#statement(),
      () => this.#permissions(),
    ];
    await random.pick(actions)();
  }

  get #server(): ExampleApp {
    return this.#random.pick(this.#servers.all);
  }

  async #send(method: string, path: string, data?: object): Promise<unknown> {
    const options = { token: this.#token, ...(data ? { body: { data } } : {}) };
    const { status, body, text } = await this.#server.send(method, `/api${path}`, options);
    if (status >= 400 && status !== 404 && status !== 400) throw new Error(`${method} ${path}: ${status} ${text}`);
    return body;
  }

  #path(type: string): string {
    return `/${type === "category" ? "categorie" : type}s`;
  }

  #fieldsOf(type: string): object {
    const random = this.#random;
    this.#number += 1;
    const name = `${type[0]}${this.#number}`;
    if (type !== "article") return { name, ...(type === "author" ? { portrait: random.pick([1, 2, null]) } : {}) };
    return {
      title: name,
      author: random.pick([null, this.idOf("author")]),
      categories: { set: random.some(this.#ids["category"] ?? []) },
      tags: { connect: random.some(this.#ids["tag"] ?? []) },
      related: random.some(this.#ids["article"] ?? []).slice(0, 3),
      cover: random.pick([1, 2, null]),
      gallery: random.some([1, 2]),
      seo: random.pick([null, { metaTitle: name, image: random.pick([1, null]) }]),
      sections: random.some([
        { __component: "blocks.quote", text: name },
        { __component: "blocks.gallery", images: [2, 1] },
      ]),
    };
  }

  async #create(): Promise<void> {
    const type = this.#random.pick(TYPES);
    const data = this.#fieldsOf(type);
    const body = await this.#send("POST", this.#path(type), { ...data, slug: `s${this.#number}` });
    const id = /"documentId":"(\w+)"/.exec(JSON.stringify(body))?.[1];
    if (id !== undefined) this.#ids[type]?.push(id);
  }

  async #update(): Promise<void> {
    const type = this.#random.pick(TYPES);
    const query = type === "article" ? this.#random.pick(["", "?status=draft", "?locale=de"]) : "";
    const data = { ...this.#fieldsOf(type), ...(query === "?locale=de" ? { slug: `d${this.#number}` } : {}) };
    await this.#send("PUT", `${this.#path(type)}/${this.idOf(type)}${query}`, data);
  }

  async #publication(): Promise<void> {
    const action = this.#random.pick(["publish", "unpublish", "discard-draft"]);
    await this.#send("POST", `/articles/${this.idOf("article")}/actions/${action}`);
  }

  async #remove(): Promise<void> {
    if (this.#random.chance(0.5)) return;
    const type = this.#random.pick(TYPES);
    await this.#send("DELETE", `${this.#path(type)}/${this.idOf(type)}${this.#random.pick(["", "?locale=de"])}`);
  }

  async #single(): Promise<void> {
    const name = `n${(this.#number += 1)}`;
    const sections = [{ __component: "blocks.articles", heading: name, articles: [this.idOf("article")] }];
    if (this.#random.chance(0.5)) await this.#send("PUT", "/homepage?locale=en", { title: name, sections });
    else await this.#send("PUT", "/global", { siteName: name, logo: this.#random.pick([1, null]) });
  }

  /** What no server can know of by itself. */
  async #statement(): Promise<void> {
    const text = `x${(this.#number += 1)}`;
    const statements = [
      `update files set alternative_text = '${text}' where id = ${this.#random.pick([1, 2])}`,
      `update tags set name = '${text}' where id = (select max(id) from tags)`,
      `delete from articles_categories where version_id = (select max(version_id) from articles_categories)`,
      `update authors set biography = '${text}'`,
    ];
    await this.#servers.database.rows(this.#random.pick(statements));
  }

  /** Servers learn of permissions a moment later, which has nothing to do with what they keep. */
  async #permissions(): Promise<void> {
    const actions = this.#random.chance(0.7) ? GRANTABLE : GRANTABLE.filter(() => this.#random.chance(0.8));
    const drafts = this.#random.some(["api::article.article.readDraft"]);
    await this.allow([...actions, ...drafts]);
  }

  async allow(actions: readonly string[]): Promise<void> {
    const { all, plain } = this.#servers;
    await plain.services.auth.roles.changed();
    const revoked = [...(plain.services.auth.roles.byType("public")?.actions ?? [])].filter(
      (action) => action.startsWith("api::") && !actions.includes(action),
    );
    await plain.allowPublic(...actions, ...revoked.map((action) => `-${action}`));
    const known = actionsOf(plain);
    for (const app of all) await vi.waitUntil(() => actionsOf(app) === known, SOON);
  }
}
