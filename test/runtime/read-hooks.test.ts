/** Hooks of reads: what clients are shown of documents, over REST and both formats of GraphQL, and what they find. */
import { expect, test } from "vitest";
import application from "../../generated/index.ts";
import { createApiToken } from "../../runtime/accounts/api-tokens.ts";
import { defineExtension } from "../../runtime/app/extension.ts";
import { ForbiddenError } from "../../runtime/base/errors.ts";
import { migrate } from "../../runtime/database/migrations/migrator.ts";
import { at, authApp, textAt } from "../support/auth-app.ts";
import { freshDatabase } from "../support/database.ts";
import { secrets } from "../support/services.ts";

const seen: string[] = [];
/** What the hook of categories does. */
let limits = (): object => ({ filters: {} });
const extensions = {
  "api::author.author": defineExtension<"api::author.author">({
    hooks: {
      async afterRead({ document, documents }) {
        seen.push(document.documentId);
        const articles = await documents("api::article.article").count({ status: "draft" });
        return { name: `${document.name} (${articles})`, biography: undefined };
      },
    },
  }),
  "api::tag.tag": defineExtension<"api::tag.tag">({
    hooks: {
      beforeRead({ caller }) {
        if (caller.kind === "public") throw new ForbiddenError("Tags are for those who are known");
        return { filters: { articles: { author: { email: "ada@example.com" } } } };
      },
    },
  }),
  "plugin::users-permissions.user": defineExtension<"plugin::users-permissions.user">({
    hooks: { beforeRead: ({ caller }) => ({ filters: { documentId: caller.userDocumentId ?? "" } }) },
  }),
  "api::category.category": defineExtension<"api::category.category">({ hooks: { beforeRead: () => limits() } }),
};
const locales = { default: "en", codes: ["en", "de"] };
const database = await freshDatabase("postgres");
await migrate(database, "generated/migrations");
const withFormat = (format: "entity" | "flat") =>
  authApp({ database, application: { ...application, extensions }, config: { locales, graphql: { format } } });
const [entity, flat] = [await withFormat("entity"), await withFormat("flat")];
const permission = { name: "full", type: "full-access", permissions: [], expiresAt: null } as const;
const token = await createApiToken(database, secrets.tokenSalt, permission);
const { documents } = entity.services;
const ada = await documents("api::author.author").create({
  data: { name: "Ada", slug: "ada", email: "ada@example.com", biography: "Long" },
});
const bob = await documents("api::author.author").create({ data: { name: "Bob", slug: "bob" } });
for (const [name, author] of [
  ["Tea", ada.documentId],
  ["Milk", bob.documentId],
] as const) {
  const tag = await documents("api::tag.tag").create({ data: { name, slug: name.toLowerCase() } });
  await documents("api::article.article").create({
    data: { title: name, slug: name.toLowerCase(), author, tags: [tag.documentId] },
    status: "draft",
  });
}

const rest = async (path: string) => (await entity.send("GET", `/api${path}`, { token })).body;
const graphql = async (app: typeof entity, query: string) =>
  (await app.send("POST", "/graphql", { token, body: { query } })).body;

test("a hook changes what clients are shown, at the top and where documents are populated, and code is shown what is stored", async () => {
  const shown = { name: "Ada (2)", biography: null };
  expect(await rest("/authors?sort=name")).toMatchObject({ data: [shown, { name: "Bob (2)" }] });
  expect(await rest(`/authors/${ada.documentId}`)).toMatchObject({ data: shown });
  expect(await rest("/articles?status=draft&sort=title:desc&populate=author")).toMatchObject({
    data: [{ title: "Tea", author: shown }, { author: { name: "Bob (2)" } }],
  });
  const put = await entity.send("PUT", `/api/authors/${ada.documentId}`, { token, body: { data: { slug: "ada-l" } } });
  expect(put.body).toMatchObject({ data: { ...shown, slug: "ada-l" } });
  expect(await documents("api::author.author").findOne(ada.documentId)).toMatchObject({
    name: "Ada",
    biography: "Long",
  });
  expect(await rest("/authors?fields=slug&sort=name")).toMatchObject({ data: [{ slug: "ada-l" }, { slug: "bob" }] });
});

test("the same over GraphQL, from rows and by resolvers", async () => {
  const one = "attributes { name biography }";
  expect(await graphql(entity, `{ authors(sort: "name") { data { ${one} } } }`)).toMatchObject({
    data: {
      authors: { data: [{ attributes: { name: "Ada (2)", biography: null } }, { attributes: { name: "Bob (2)" } }] },
    },
  });
  expect(
    await graphql(
      entity,
      `{ articles(publicationState: PREVIEW, sort: "title:desc") { data { attributes { author { data { ${one} } } } } } }`,
    ),
  ).toMatchObject({
    data: {
      articles: { data: [{ attributes: { author: { data: { attributes: { name: "Ada (2)" } } } } }, {}] },
    },
  });
  expect(
    await graphql(
      entity,
      `mutation { updateAuthor(id: "${bob.documentId}", data: { biography: "New" }) { data { ${one} } } }`,
    ),
  ).toMatchObject({ data: { updateAuthor: { data: { attributes: { name: "Bob (2)", biography: null } } } } });
  expect(
    await graphql(
      flat,
      `{ authors(sort: "name") { name } author(documentId: "${ada.documentId}") { name biography } }`,
    ),
  ).toEqual({
    data: { authors: [{ name: "Ada (2)" }, { name: "Bob (2)" }], author: { name: "Ada (2)", biography: null } },
  });
  expect(
    await graphql(
      flat,
      `
        {
          articles(status: DRAFT, sort: "title:desc") {
            author {
              name
            }
          }
        }
      `,
    ),
  ).toMatchObject({ data: { articles: [{ author: { name: "Ada (2)" } }, {}] } });
});

test("a hook before a read narrows what is found, by what the caller may not name, or refuses", async () => {
  expect(await rest("/tags?status=draft")).toMatchObject({
    data: [{ name: "Tea" }],
    meta: { pagination: { total: 1 } },
  });
  expect(await rest("/tags?filters[name]=Milk")).toMatchObject({ data: [] });
  const milk = await documents("api::tag.tag").findFirst({ filters: { name: "Milk" } });
  expect((await entity.send("GET", `/api/tags/${milk?.documentId}`, { token })).status).toBe(404);
  expect(await graphql(entity, "{ tags { data { attributes { name } } } }")).toEqual({
    data: { tags: { data: [{ attributes: { name: "Tea" } }] } },
  });
  expect(await graphql(flat, `{ tags { name } tag(documentId: "${milk?.documentId}") { name } }`)).toEqual({
    data: { tags: [{ name: "Tea" }], tag: null },
  });
  expect(await documents("api::tag.tag").count()).toBe(2);
});

test("who may see themselves only can register and log in, and is shown to who writes them", async () => {
  const send = async (method: string, path: string, body: object, by?: string) => {
    const answer = await entity.send(method, `/api${path}`, { body, ...(by ? { token: by } : {}) });
    return [answer.status, at(answer.body, "user.username") ?? at(answer.body, "username")];
  };
  const [identifier, password] = ["alone@example.com", "a long password"];
  expect(await send("POST", "/auth/local/register", { username: "alone", email: identifier, password })).toEqual([
    200,
    "alone",
  ]);
  expect(await send("POST", "/auth/local", { identifier, password })).toEqual([200, "alone"]);
  const login = `mutation { login(input: { identifier: "${identifier}", password: "${password}" }) { jwt user { username } } }`;
  const { body } = await entity.send("POST", "/graphql", { body: { query: login } });
  expect(body).toMatchObject({ data: { login: { user: { username: "alone" } } } });
  const own = textAt(body, "data.login.jwt");
  expect((await entity.send("GET", "/api/users/me", { token: own })).body).toMatchObject({ username: "alone" });
  const user = await documents("plugin::users-permissions.user").findFirst({ populate: { role: true } });
  expect(await send("PUT", `/users/${user?.id}`, { username: "still alone" }, token)).toEqual([200, "still alone"]);
  const other = { username: "other", email: "other@example.com", password, role: user?.role?.id };
  expect(await send("POST", "/users", other, token)).toEqual([201, "other"]);
  const made = `mutation { createUsersPermissionsUser(data: { username: "third", email: "3@example.com", password: "${password}", role: "${user?.role?.id}" }) { data { attributes { username } } } }`;
  expect(await graphql(entity, made)).toMatchObject({
    data: { createUsersPermissionsUser: { data: { attributes: { username: "third" } } } },
  });
  expect(await rest("/users")).toEqual([]);
});

test("a filter whose value is missing is refused, also where one without it is known", async () => {
  limits = () => ({ filters: {} });
  expect(await rest("/categories?fields=name")).toMatchObject({ data: [] });
  limits = () => ({ filters: { name: undefined } });
  expect(await rest("/categories?fields=name")).toMatchObject({ error: { status: 400 } });
  limits = () => ({ filters: undefined });
  expect(await rest("/categories?fields=name")).toMatchObject({ error: { status: 400 } });
  expect(await graphql(flat, "{ categories { name } }")).toMatchObject({ errors: [{}] });
});

test("a translation that a hook hides is missing, also where a query asks what is translated", async () => {
  const categories = documents("api::category.category");
  const { documentId } = await categories.create({ data: { name: "Food", slug: "food" } });
  await categories.update(documentId, { locale: "de", data: { name: "Essen", slug: "essen" } });
  const asked = `/categories/${documentId}?localization=true`;
  limits = () => ({ filters: {} });
  expect(await rest(asked)).toMatchObject({ meta: { localization: { locales: { de: "published" } } } });
  limits = () => ({ filters: { name: { $ne: "Essen" } } });
  expect(await rest(asked)).toMatchObject({ meta: { localization: { locales: { en: "published", de: "missing" } } } });
});

test("an empty list in filters that code adds has nothing in it, and in a client's query it is no condition", async () => {
  const found = async (where: object, path = "/categories?fields=name") => {
    limits = () => ({ filters: where });
    return at(await rest(path), "meta.pagination.total");
  };
  const all = await found({});
  expect(all).toBeGreaterThan(0);
  for (const where of [
    { id: { $in: [] } },
    { name: [] },
    { name: { $eq: [] } },
    { name: { $containsi: [] } },
    { $or: [] },
    { $and: [{ name: { $notNull: true } }, { articles: [] }] },
    { articles: { author: { documentId: { $in: [] } } } },
  ]) {
    expect(await found(where), JSON.stringify(where)).toBe(0);
    expect(await graphql(flat, "{ categories { name } }")).toEqual({ data: { categories: [] } });
  }
  for (const where of [{ id: { $notIn: [] } }, { $not: { $or: [] } }, { $and: [] }]) {
    expect(await found(where), JSON.stringify(where)).toBe(all);
  }
  limits = () => ({ filters: {} });
  const asked = "{ categories(filters: { name: { in: [] }, or: [] }) { name } }";
  expect(at(await graphql(flat, asked), "data.categories")).toHaveLength(Number(all));
});

test("what is thrown and is no error is a 500 with all headers, and the log has it", async () => {
  limits = () => {
    // Code that is not checked throws whatever it likes.
    // oxlint-disable-next-line no-throw-literal
    throw "a bare text";
  };
  const { status, body, headers } = await entity.send("GET", "/api/categories", { token });
  expect(status).toBe(500);
  expect(body).toMatchObject({ data: null, error: { status: 500, message: "Internal Server Error" } });
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(entity.logged()).toContain("a bare text");
});
