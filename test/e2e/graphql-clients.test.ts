/** Clients with normalized caches, against a running server in both formats. */
import { ClientError, GraphQLClient } from "graphql-request";
import { expect, test } from "vitest";
import { apollo, type CachingClient, plainUrql, urql } from "../support/caching-clients.ts";
import { type Format, MODES, type ServedExample, serveExample } from "../support/graphql-project.ts";

const formats = ["entity", "flat"] as const;

/** What is selected of a document, in the words of a format. */
const document = (format: Format, selection: string): string =>
  format === "entity" ? `data { id attributes { ${selection} } }` : `documentId ${selection}`;

const shown = (format: Format): string =>
  `title seo { id metaTitle } sections { __typename ... on ComponentBlocksQuote { id text } ... on ComponentBlocksText { id body } }
  author { ${document(format, "name links { __typename id label url }")} }`;

const listOf = (format: Format): string => `query List { articles(sort: "slug") { ${document(format, shown(format))} }
  me { __typename id username role { __typename id name } } }`;

const oneOf = (format: Format, id: string): string =>
  `query One { article(${format === "entity" ? "id" : "documentId"}: "${id}") { ${document(format, shown(format))} } }`;

const createAuthor = (format: Format): string =>
  `mutation($data: AuthorInput!) { createAuthor(data: $data) { ${document(format, "name")} } }`;
const createArticle = (format: Format): string =>
  `mutation($data: ArticleInput!) { createArticle(data: $data) { ${document(format, shown(format))} } }`;
const updateArticle = (format: Format): string =>
  `mutation($id: ID!, $data: ArticleInput!) { updateArticle(${format === "entity" ? "id" : "documentId"}: $id, data: $data) {
    ${document(format, shown(format))} } }`;

type Members = Readonly<Record<string, unknown>>;

const members = (value: unknown): Members =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** The id in the answer of a mutation. */
const idOf = (data: unknown): string => {
  const [created] = Object.values(members(data));
  const entity = members(members(created)["data"] ?? created);
  return String(entity["documentId"] ?? entity["id"]);
};

const article = (number: number, author: string): Members => ({
  data: {
    title: `Article ${number}`,
    slug: `article-${number}`,
    author,
    seo: { metaTitle: `Seo ${number}` },
    sections: [
      { __typename: "ComponentBlocksQuote", text: `Quote ${number}` },
      { __typename: "ComponentBlocksText", body: `Text ${number}` },
    ],
  },
});

/** Fills the server, and returns the ids of the articles. */
const fill = async (format: Format, client: CachingClient): Promise<readonly string[]> => {
  const author = idOf(
    await client.mutate(createAuthor(format), {
      data: {
        name: "Ida",
        slug: "ida",
        links: [
          { label: "Home", url: "/" },
          { label: "More", url: "/more" },
        ],
      },
    }),
  );
  const first = await client.mutate(createArticle(format), article(1, author));
  const second = await client.mutate(createArticle(format), article(2, author));
  return [idOf(first), idOf(second)];
};

/** The answer without any cache. */
const fetched = async ({ endpoint, authorization }: ServedExample, query: string): Promise<unknown> => {
  const answer = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: JSON.stringify({ query }),
  });
  return members(JSON.parse(await answer.text()))["data"];
};

/** Caches add the names of types, which were not all asked for. */
const withoutTypes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, member: unknown) => (key === "__typename" ? undefined : member));

/** How many types have an object with one and the same id, at most. */
const typesOfOneId = (value: unknown): number => {
  const types = new Map<unknown, Set<unknown>>();
  JSON.stringify(value, (_key, member: unknown) => {
    const { id, __typename: name } = members(member);
    if (id !== undefined) types.set(id, (types.get(id) ?? new Set()).add(name));
    return member;
  });
  return Math.max(...[...types.values()].map(({ size }) => size));
};

/** graphql-request as it is by itself, and where it is told to send GET. */
const checkGraphqlRequest = async (format: Format, served: ServedExample, id: string): Promise<void> => {
  const headers = { authorization: served.authorization };
  const posting = new GraphQLClient(served.endpoint, { headers });
  const getting = new GraphQLClient(served.endpoint, { headers, method: "GET" });
  const argument = format === "entity" ? "id" : "documentId";
  const one = `query One($id: ID!) { article(${argument}: $id) { ${document(format, shown(format))} } }`;
  const expected = await fetched(served, oneOf(format, id));
  expect(await posting.request(one, { id })).toEqual(expected);
  expect(await posting.rawRequest(one, { id })).toMatchObject({ status: 200, data: expected });

  const marked = new GraphQLClient(served.endpoint, {
    method: "GET",
    headers: { ...headers, "Apollo-Require-Preflight": "true" },
  });
  expect(await marked.request(one, { id })).toEqual(expected);
  const byGet = getting.request(one, { id });
  if (MODES[format] === "legacy") expect(await byGet).toEqual(expected);
  else await expect(byGet).rejects.toThrow(/400|CSRF|preflight/i);

  const failure: unknown = await posting.request("{ nothing }").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ClientError);
  expect(failure).toMatchObject({ response: { status: 400, errors: [{ extensions: expect.any(Object) }] } });
  const partly = new GraphQLClient(served.endpoint, { headers, errorPolicy: "all" });
  const taken = `mutation { register(input: { username: "reader", email: "reader@example.test", password: "x" }) { jwt } }`;
  expect(await partly.rawRequest(taken)).toMatchObject({ status: 200, data: null, errors: [{ path: ["register"] }] });
  // It sends mutations by POST, whatever it is told.
  await marked.request(updateArticle(format), { id, data: { title: "By POST" } });
  expect(JSON.stringify(await fetched(served, oneOf(format, id)))).toContain("By POST");
};

test.each(formats)("the caches of Apollo Client and urql keep the entities of the %s format apart", async (format) => {
  const served = await serveExample(format);
  const ids = await fill(format, await apollo(format, served));
  const one = oneOf(format, ids[0] ?? "");
  await checkGraphqlRequest(format, served, ids[0] ?? "");
  const byGet = plainUrql(served, one).catch((error: unknown) => error);
  if (MODES[format] === "legacy") expect(withoutTypes(await byGet)).toEqual(withoutTypes(await fetched(served, one)));
  else expect(String(await byGet)).toMatch(/400|CSRF|preflight/i);
  const marked = await plainUrql(served, one, { "Apollo-Require-Preflight": "true" });
  expect(withoutTypes(marked)).toEqual(withoutTypes(await fetched(served, one)));

  for (const client of [await apollo(format, served), await urql(format, served)]) {
    const list = listOf(format);
    await client.query(list);
    const cached = await client.cached(list);
    expect(withoutTypes(cached)).toEqual(withoutTypes(await fetched(served, list)));
    // A role and components have the same id here: what is kept by the id alone would be mixed up.
    expect(typesOfOneId(cached)).toBeGreaterThan(1);

    for (const id of ids) await client.query(oneOf(format, id));
    const requests = client.requests();
    const title = `Changed by ${client.requests()} requests`;
    await client.mutate(updateArticle(format), { id: ids[0], data: { title, seo: { metaTitle: "Changed" } } });
    // Both queries show it without asking again.
    for (const text of [list, oneOf(format, ids[0] ?? "")]) {
      expect(JSON.stringify(await client.query(text))).toContain(title);
      expect(withoutTypes(await client.cached(text))).toEqual(withoutTypes(await fetched(served, text)));
    }
    expect(JSON.stringify(await client.query(oneOf(format, ids[1] ?? "")))).toContain("Article 2");
    expect(client.requests()).toBe(requests + 1);
  }
});
