/** Permissions for some documents only, attacked by a user who may act upon its own: over REST and both formats of GraphQL. */
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import example from "../../../generated/index.ts";
import type { Caller } from "../../../runtime/access/caller.ts";
import { can, createRowAccess } from "../../../runtime/access/row-rules.ts";
import { applyPermissions, planPermissions } from "../../../runtime/accounts/roles/permission-plan.ts";
import { grantableActions } from "../../../runtime/app/grantable-actions.ts";
import { type ConfigInput, configSchema } from "../../../runtime/config/config.ts";
import { actionsByRole, type RowRule, type RuleUser } from "../../../runtime/config/permissions.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { update } from "../../../runtime/documents/operations/index.ts";
import { at, type AuthApp, authApp, textAt } from "../../support/auth-app.ts";
import { bothDatabases, freshDatabase } from "../../support/database.ts";
import { form } from "../../support/media-app.ts";
import { workspace } from "../../support/workspace.ts";

const mine = ({ user }: { readonly user: RuleUser }) => ({ author: { slug: `u${user.id}` } });
const ARTICLE = "api::article.article";
const whole = ["author", "tag", "category"].flatMap((name) =>
  ["find", "findOne", "create", "update"].map((action) => `api::${name}.${name}.${action}`),
);

const config: ConfigInput = {
  locales: { default: "en", codes: ["en", "de"] },
  permissions: {
    authenticated: [
      ...whole,
      "plugin::upload.content-api.find",
      "plugin::upload.content-api.upload",
      `${ARTICLE}.findOne`,
      ...["find", "create", "update", "delete", "publish", "unpublish", "discardDraft", "readDraft"].map((action) =>
        can(`${ARTICLE}.${action}`, { where: mine }),
      ),
    ],
    public: [can("api::article.article.find", { where: mine }), `${ARTICLE}.findOne`],
  },
};

interface Tenant {
  readonly token: string;
  readonly author: string;
  readonly article: string;
}

interface Attacked {
  readonly entity: AuthApp;
  readonly flat: AuthApp;
  readonly ann: Tenant;
  readonly bob: Tenant;
  readonly tag: string;
}

const register = async (app: AuthApp, name: string, tag: string): Promise<Tenant> => {
  const { documents } = app.services;
  const body = { username: name, email: `${name}@example.com`, password: "Passw0rd!" };
  const registered = (await app.send("POST", "/api/auth/local/register", { body })).body;
  const slug = `u${String(at(registered, "user.id"))}`;
  const author = await documents("api::author.author").create({ data: { name, slug } });
  const data = { title: `Secret of ${name}`, slug: `of-${name}`, author: author.documentId, tags: [tag] };
  const article = await documents(ARTICLE).create({ data });
  return { token: textAt(registered, "jwt"), author: author.documentId, article: article.documentId };
};

const prepare = async (kind: (typeof bothDatabases)[number], root: string): Promise<Attacked> => {
  const database = await freshDatabase(kind);
  await migrate(database, "generated/migrations");
  const withFormat = (format: "entity" | "flat") =>
    authApp({ database, application: example, root, config: { ...config, graphql: { format } } });
  const [entity, flat] = [await withFormat("entity"), await withFormat("flat")];
  const { auth, config: parsed } = entity.services;
  const plan = planPermissions(actionsByRole(parsed.permissions), auth.roles.all(), grantableActions(example, parsed));
  await applyPermissions(database, auth.roles, plan);
  await flat.services.auth.roles.changed();
  const tag = await entity.services.documents("api::tag.tag").create({ data: { name: "Shared", slug: "shared" } });
  const ann = await register(entity, "ann", tag.documentId);
  const bob = await register(entity, "bob", tag.documentId);
  return { entity, flat, ann, bob, tag: tag.documentId };
};

const ask = async (app: AuthApp, query: string, token: string) =>
  (await app.send("POST", "/graphql", { token, body: { query } })).body;

const article = (name: string) => `api::article.article.${name}`;

/** A user of a role with this permission, who may do everything else. */
const callerWith = (rule: RowRule): Caller => {
  const rowsOf = createRowAccess(configSchema.parse({ permissions: { role: [rule] } }));
  const rows = rowsOf("role", { id: 7, documentId: "u" });
  return { kind: "user", can: () => true, ...(rows ? { rows } : {}) };
};

describe.each(bothDatabases)("on %s", (kind) => {
  const root = workspace(undefined, afterAll);
  let attacked: Attacked;
  beforeAll(async () => {
    attacked = await prepare(kind, root);
  });

  const get = async (path: string) =>
    (await attacked.entity.send("GET", `/api${path}`, { token: attacked.ann.token })).body;
  const put = (path: string, data: object, query = "") =>
    attacked.entity.send("PUT", `/api${path}${query}`, { token: attacked.ann.token, body: { data } });
  const stored = (status: "draft" | "published" = "draft") =>
    attacked.entity.services.documents(ARTICLE).find({ status, populate: ["author", "tags"], sort: "title" });

  test("lists, totals, searches and single documents know no others", async () => {
    const { ann, bob } = attacked;
    for (const query of [
      "",
      "?status=draft",
      "?_q=Secret",
      "?sort=author.name:desc",
      "?locale=en",
      "?filters[title][$contains]=Secret",
    ]) {
      const list = await get(`/articles${query}`);
      expect(list).toMatchObject({ data: [{ documentId: ann.article }], meta: { pagination: { total: 1 } } });
    }
    expect(await get(`/articles/${ann.article}`)).toMatchObject({ data: { documentId: ann.article } });
    expect(await get(`/articles/${bob.article}`)).toMatchObject({ error: { status: 404 } });
    expect(await get(`/articles/${bob.article}?status=draft`)).toMatchObject({ error: { status: 404 } });
  });

  test("no relation leads to others: by populate, filters, counts", async () => {
    const { ann, bob } = attacked;
    expect(await get("/authors?populate=articles&sort=name")).toMatchObject({
      data: [{ articles: [{ documentId: ann.article }] }, { articles: [] }],
    });
    expect(await get("/authors?populate[articles][count]=true&sort=name")).toMatchObject({
      data: [{ articles: { count: 1 } }, { articles: { count: 0 } }],
    });
    expect(await get("/tags?populate[articles][populate]=author")).toMatchObject({
      data: [{ articles: [{ author: { documentId: ann.author } }] }],
    });
    const found = await get("/authors?filters[articles][title][$contains]=Secret");
    expect(found).toMatchObject({ data: [{ documentId: ann.author }], meta: { pagination: { total: 1 } } });
    const none = await get(`/tags?filters[articles][documentId]=${bob.article}`);
    expect(none).toMatchObject({ data: [], meta: { pagination: { total: 0 } } });
    const without = await get("/authors?filters[articles][id][$null]=true");
    expect(without).toMatchObject({ data: [{ documentId: bob.author }] });
  });

  test("GraphQL knows no others, in both formats", async () => {
    const { entity, flat, ann, bob } = attacked;
    const list = "{ articles { data { id } meta { pagination { total } } } }";
    for (const [each, token] of [
      [ann, ann.token],
      [bob, bob.token],
      [ann, ann.token],
    ] as const) {
      expect(await ask(entity, list, token)).toMatchObject({
        data: { articles: { data: [{ id: each.article }], meta: { pagination: { total: 1 } } } },
      });
      const page = "{ articles { documentId } tags { articles { documentId } } }";
      expect(await ask(flat, page, token)).toMatchObject({
        data: {
          articles: [{ documentId: each.article }],
          tags: [{ articles: [{ documentId: each.article }] }],
        },
      });
    }
    const one = `{ article(documentId: "${bob.article}") { title } }`;
    expect(await ask(flat, one, ann.token)).toMatchObject({ data: { article: null } });
    const change = `mutation { updateArticle(documentId: "${bob.article}", data: { title: "Mine" }) { title } }`;
    expect(JSON.stringify(await ask(flat, change, ann.token))).not.toContain("Mine");
    const remove = `mutation { deleteArticle(id: "${bob.article}") { data { id attributes { title } } } }`;
    expect(JSON.stringify(await ask(entity, remove, ann.token))).not.toContain("Secret");
    const localize = `mutation { createArticleLocalization(id: "${bob.article}", locale: "en", data: { title: "x" }) { data { id } } }`;
    expect(JSON.stringify(await ask(entity, localize, ann.token))).toContain("Entity not found");
    expect(await stored()).toMatchObject([{ title: "Secret of ann" }, { title: "Secret of bob" }]);
  });

  test("what belongs to others cannot be changed, published, deleted or translated", async () => {
    const { entity, ann, bob } = attacked;
    const path = `/articles/${bob.article}`;
    for (const query of ["", "?status=draft", "?locale=de", "?locale=de&status=draft"]) {
      expect(await put(path, { title: "Mine", slug: "mine" }, query)).toMatchObject({ status: 404 });
    }
    for (const action of ["publish", "unpublish", "discard-draft"]) {
      const { status } = await entity.send("POST", `/api${path}/actions/${action}`, { token: ann.token });
      expect(status).toBe(404);
    }
    expect(await entity.send("DELETE", `/api${path}`, { token: ann.token })).toMatchObject({ status: 204 });
    expect(await entity.send("DELETE", `/api${path}?locale=*`, { token: ann.token })).toMatchObject({ status: 204 });
    expect(await stored("published")).toMatchObject([{ title: "Secret of ann" }, { title: "Secret of bob" }]);
    expect(await stored()).toHaveLength(2);
  });

  test("nothing is created for others, or given away", async () => {
    const { entity, ann, bob } = attacked;
    const create = (data: object, query = "") =>
      entity.send("POST", `/api/articles${query}`, {
        token: ann.token,
        body: { data: { slug: "new", title: "New", ...data } },
      });
    for (const query of ["", "?status=draft", "?locale=de"]) {
      expect(await create({ author: bob.author }, query)).toMatchObject({ status: 403 });
      expect(await create({}, query)).toMatchObject({ status: 403 });
    }
    const own = await create({ author: ann.author }, "?status=draft");
    expect(own).toMatchObject({ status: 201, body: { data: { title: "New" } } });
    const id = textAt(own.body, "data.documentId");
    for (const query of ["", "?status=draft"]) {
      expect(await put(`/articles/${id}`, { author: bob.author }, query)).toMatchObject({ status: 403 });
      expect(await put(`/articles/${id}`, { author: null }, query)).toMatchObject({ status: 403 });
    }
    expect(
      await put(`/articles/${id}`, { title: "Neuer", slug: "neuer", author: ann.author }, "?locale=de"),
    ).toMatchObject({
      status: 200,
    });
    expect(await put(`/articles/${id}`, { title: "Newer" }, "?status=draft")).toMatchObject({ status: 200 });
    const removed = await entity.send("DELETE", `/api/articles/${id}?locale=*`, { token: ann.token });
    expect(removed.status).toBe(204);
    expect(await stored()).toMatchObject([{ title: "Secret of ann" }, { title: "Secret of bob" }]);
  });

  test("nothing is taken or let go from the other side of a relation", async () => {
    const { entity, ann, bob, tag } = attacked;
    const [row] = await entity.services.documents(ARTICLE).find({ filters: { documentId: bob.article } });
    const references = [bob.article, { documentId: bob.article }, row?.id ?? 0];
    for (const reference of references) {
      for (const change of [{ connect: [reference] }, { disconnect: [reference] }, { set: [reference] }]) {
        const faults = await Promise.all([
          put(`/authors/${ann.author}`, { articles: change }),
          put(`/authors/${bob.author}`, { articles: change }),
          put(`/tags/${tag}`, { articles: change }),
        ]);
        const disconnects = "disconnect" in change && typeof reference === "number";
        for (const { status } of faults) expect(disconnects ? [200] : [400, 403]).toContain(status);
      }
    }
    expect(await put(`/tags/${tag}`, { articles: [ann.article] })).toMatchObject({ status: 200 });
    expect(await put(`/authors/${bob.author}`, { articles: [] })).toMatchObject({ status: 200 });
    expect(await put(`/authors/${ann.author}`, { articles: [] })).toMatchObject({ status: 403 });
    expect(await put(`/authors/${bob.author}`, { articles: { connect: [ann.article] } })).toMatchObject({
      status: 403,
    });
    for (const status of ["draft", "published"] as const) {
      expect(await stored(status)).toMatchObject([
        { author: { documentId: ann.author }, tags: [{ documentId: tag }] },
        { author: { documentId: bob.author }, tags: [{ documentId: tag }] },
      ]);
    }
  });

  test("no file is put into what belongs to others, and files do not tell who uses them", async () => {
    const { entity, ann, bob } = attacked;
    const [row] = await entity.services.documents(ARTICLE).find({ filters: { documentId: bob.article } });
    const create = { width: 8, height: 8, channels: 3, background: "red" } as const;
    const pixel = new Uint8Array(await sharp({ create }).png().toBuffer());
    const upload = (refId: string) =>
      entity.app.request("/api/upload", {
        method: "POST",
        headers: { authorization: `Bearer ${ann.token}` },
        body: form(
          { name: "pixel.png", type: "image/png", content: pixel },
          { field: "ref", content: ARTICLE },
          { field: "refId", content: refId },
          { field: "field", content: "cover" },
        ),
      });
    expect((await upload(bob.article)).status).toBe(400);
    expect((await upload(String(row?.id))).status).toBe(400);
    expect((await upload(ann.article)).status).toBe(201);
  });

  test("a translator into German changes no other locale, not even by what all locales share", async () => {
    const { entity, ann, tag } = attacked;
    const { documents } = entity.services;
    const context = { services: entity.services, caller: callerWith(can(article("update"), { locales: ["de"] })) };
    const type = entity.services.registry.contentType(ARTICLE);
    const { documentId } = await documents(ARTICLE).create({
      data: { title: "Tea", slug: "tea", author: ann.author, tags: [tag] },
    });
    const change = (locale: string, data: object) =>
      update(context, type, documentId, { data: { ...data }, query: { locale, status: "draft" } });
    await expect(change("en", { title: "x" })).rejects.toThrow("Forbidden");
    await change("de", { title: "Tee", slug: "tee" });
    await change("de", { title: "Der Tee" });
    await expect(change("de", { featured: true })).rejects.toThrow("Forbidden");
    expect(await documents(ARTICLE).find({ locale: "*", status: "draft", filters: { documentId } })).toMatchObject([
      { title: "Tea", featured: false },
      { title: "Der Tee", featured: false },
    ]);
    await documents(ARTICLE).delete(documentId, { locale: "*" });
  });

  test("links to documents that the writer may not read stay when it sets a relation", async () => {
    const { entity, ann, tag } = attacked;
    const { documents } = entity.services;
    const { documentId: hidden } = await documents("api::tag.tag").create({ data: { name: "Hidden", slug: "hidden" } });
    const { documentId: other } = await documents("api::tag.tag").create({ data: { name: "Other", slug: "other" } });
    const caller = callerWith(can("api::tag.tag.find", { where: () => ({ name: { $ne: "Hidden" } }) }));
    const type = entity.services.registry.contentType(ARTICLE);
    const data = { title: "Linked", slug: "linked", author: ann.author, tags: [tag, hidden] };
    const { documentId } = await documents(ARTICLE).create({ data });
    const tagsAfter = async (tags: unknown, query: { readonly status?: "draft" } = {}) => {
      await update({ services: entity.services, caller }, type, documentId, { data: { tags }, query });
      const found = await documents(ARTICLE).findOne(documentId, { ...query, populate: ["tags"] });
      return found?.tags.map(({ name }) => name).toSorted();
    };
    expect(await tagsAfter([other])).toEqual(["Hidden", "Other"]);
    expect(await tagsAfter({ set: [{ documentId: tag }] }, { status: "draft" })).toEqual(["Hidden", "Shared"]);
    expect(await tagsAfter({ set: [] })).toEqual(["Hidden"]);
    // What the writer does not see is published as the draft has it.
    await documents(ARTICLE).update(documentId, { data: { tags: [tag] }, status: "draft" });
    expect(await tagsAfter([other])).toEqual(["Other"]);
    await documents(ARTICLE).update(documentId, { data: { tags: [tag, hidden] }, status: "draft" });
    expect(await tagsAfter([other])).toEqual(["Hidden", "Other"]);
    await documents(ARTICLE).delete(documentId, { locale: "*" });
    for (const each of [hidden, other]) await documents("api::tag.tag").delete(each);
  });

  test("whoever is not logged in meets no rule about users", async () => {
    const { entity, bob } = attacked;
    const list = await entity.send("GET", "/api/articles");
    expect(list).toMatchObject({ status: 200, body: { data: [], meta: { pagination: { total: 0 } } } });
    expect(await entity.send("GET", `/api/articles/${bob.article}`)).toMatchObject({ status: 404 });
  });
});
