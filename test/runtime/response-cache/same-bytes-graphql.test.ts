/** Queries that were asked before are answered without Hono: whatever is asked, the answer is the one that Hono gives. */
import { expect, test } from "vitest";
import { textAt } from "../../support/auth-app.ts";
import { cachedAndNot } from "../../support/cached-and-not.ts";

const post = (body: string, headers = "Content-Type: application/json\r\n"): readonly [string, string] => [
  `POST /graphql HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n`,
  body,
];
const json = (query: string, more: object = {}): string => JSON.stringify({ query, ...more });
const get = (parameters: Readonly<Record<string, string>>, headers = ""): readonly [string] => [
  `GET /graphql?${new URLSearchParams(parameters).toString()} HTTP/1.1\r\nHost: localhost\r\n${headers}`,
];

const TAGS = '{ tags(sort: "name") { data { id attributes { name } } } }';
const NAMED = "query One($id: ID) { tag(id: $id) { data { attributes { name } } } } query All { tags { data { id } } }";
const SHAPED = `query ($big: Boolean = true, $page: PaginationArg) {
  authors(pagination: $page) { data { attributes { name slug @skip(if: $big) ...More @include(if: $big) } } meta { pagination { total } } } }
  fragment More on Author { again: name articles { data { attributes { title } } } }`;

const requests = (tag: string, secret: string): readonly (readonly [string, string?])[] => [
  post(json(TAGS)),
  post(json(TAGS), "content-type: application/json; charset=UTF-8\r\nOrigin: https://example.com\r\n"),
  post(json(TAGS), "Content-Type: application/json\r\nAccept: application/graphql-response+json\r\n"),
  post(json(TAGS), "Content-Type: application/json\r\nAccept: image/png\r\n"),
  post(json(TAGS), "Content-Type: application/json\r\nAccept: text/html, */*\r\n"),
  post(json(TAGS), "Content-Type: text/plain\r\n"),
  post(json(TAGS), ""),
  post(json(TAGS), `Content-Type: application/json\r\nAuthorization: Bearer ${secret}\r\n`),
  post(json(TAGS), "Content-Type: application/json\r\nAuthorization: Bearer nonsense\r\n"),
  post(json(TAGS), "Content-Type: application/json\r\nAccept-Encoding: gzip\r\nIf-None-Match: *\r\n"),
  post(json(TAGS), "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"),
  post(json(NAMED, { operationName: "One", variables: { id: tag } })),
  post(json(NAMED, { operationName: "One", variables: { id: "nothing" } })),
  post(json(NAMED, { operationName: "All", variables: { id: 1.5, other: [] } })),
  post(json(NAMED, { operationName: "None" })),
  post(json(NAMED)),
  post(json(SHAPED)),
  post(json(SHAPED, { variables: { page: { pageSize: 1 } } })),
  post(json(SHAPED, { variables: { page: { pageSize: 1 }, big: false } })),
  post(json(SHAPED, { variables: { page: { pageSize: -1 } } })),
  post(json(SHAPED, { variables: { page: 7 } })),
  post(json(SHAPED, { variables: "{}" })),
  post(json("{ articles { data { id } } tags { data { id } } }")),
  post(json("{ tags { data { id } } me { id } }")),
  post(json("{ tags(filters: { nothing: 1 }) { data { id } } }")),
  post(json('{ tags(sort: "nothing") { data { id } } }')),
  post(json("{ tags(")),
  post(json('mutation { deleteTag(id: "nothing") { data { id } } }')),
  post(`\uFEFF${json(TAGS)}`),
  post(`[${json(TAGS)}]`),
  post("{"),
  post('{"__proto__": 1}'),
  get({ query: TAGS }),
  get({ query: TAGS }, "Accept: text/html\r\n"),
  get({ query: TAGS }, "Content-Length: 0\r\n"),
  get({ query: TAGS }, "Host: a b\r\n"),
  get({ query: NAMED, operationName: "One", variables: JSON.stringify({ id: tag }) }),
  get({ query: NAMED, operationName: "One", variables: "{" }),
  get({ query: 'mutation { deleteTag(id: "nothing") { data { id } } }' }),
  [`GET /graphql?query=${encodeURIComponent(TAGS)}&query=again HTTP/1.1\r\nHost: localhost\r\n`],
  [`GET /graphql?query=%zz HTTP/1.1\r\nHost: localhost\r\n`],
  [`GET /GraphQL?query=${encodeURIComponent(TAGS)} HTTP/1.1\r\nHost: localhost\r\n`],
  [`HEAD /graphql?query=${encodeURIComponent(TAGS)} HTTP/1.1\r\nHost: localhost\r\n`],
  ["OPTIONS /graphql HTTP/1.1\r\nHost: localhost\r\nOrigin: https://example.com\r\n"],
  [
    `POST /graphql?query=1 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n`,
    "{}",
  ],
];

const begin = async () => {
  const servers = await cachedAndNot({
    server: { cors: { origins: ["https://example.com"] } },
    auth: { jwt: { mode: "legacy" } },
  });
  const secret = await servers.token();
  const create = async (path: string, data: object): Promise<string> =>
    textAt((await servers.send("POST", path, { token: secret, body: { data } })).body, "data.documentId");
  const tag = await create("/api/tags", { name: 'Größe "1"', slug: "tag" });
  await create("/api/authors", { name: "A", slug: "a" });
  return { ...servers, tag, secret };
};

test("queries get the answers that Hono gives, to the last byte of head and body", async () => {
  const { bothAnswer, hits, tag, secret } = await begin();
  await Promise.all(requests(tag, secret).map((request) => bothAnswer(...request)));
  await Promise.all(requests(tag, secret).map((request) => bothAnswer(...request)));
  expect(hits()).toBeGreaterThan(15);
  const [head, body] = post(json(TAGS));
  expect(await bothAnswer(head, body, true), "a body that comes behind its head").toContain('{"data":{"tags"');
});
