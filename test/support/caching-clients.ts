/** Apollo Client and urql with their normalized caches, set up as an application would, behind one interface. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { Client, fetchExchange } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { getIntrospectionQuery, type IntrospectionQuery } from "graphql";
import type { Format, ServedExample } from "./graphql-project.ts";

type Variables = Readonly<Record<string, unknown>>;

export interface CachingClient {
  /** Asks, and answers from the cache where it can. */
  query(text: string): Promise<unknown>;
  /** Answers from the cache alone; undefined where something is missing in it. */
  cached(text: string): Promise<unknown>;
  mutate(text: string, variables: Variables): Promise<unknown>;
  /** How many requests have gone out. */
  requests(): number;
}

/** What the flat format knows by its documentId; everything else has an `id` or none. */
const DOCUMENTS = ["Article", "Author"];

/** What clients are told of the schema when they are built. */
const introspect = async ({ endpoint }: ServedExample): Promise<IntrospectionQuery> => {
  const answer = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: getIntrospectionQuery({ descriptions: false }) }),
  });
  const { data }: { data: IntrospectionQuery } = JSON.parse(await answer.text());
  return data;
};

const counting = ({ authorization }: ServedExample) => {
  let count = 0;
  const send: typeof fetch = (input, init) => {
    count += 1;
    const headers = new Headers(init?.headers);
    headers.set("authorization", authorization);
    return fetch(input, { ...init, headers });
  };
  return { send, requests: () => count };
};

export const apollo = async (format: Format, served: ServedExample): Promise<CachingClient> => {
  const { send, requests } = counting(served);
  const typePolicies = Object.fromEntries(
    format === "flat" ? DOCUMENTS.map((name) => [name, { keyFields: ["documentId"] }]) : [],
  );
  const { __schema: schema } = await introspect(served);
  const possibleTypes = Object.fromEntries(
    schema.types.flatMap((type) =>
      type.kind === "UNION" ? [[type.name, type.possibleTypes.map(({ name }) => name)]] : [],
    ),
  );
  const cache = new InMemoryCache({ typePolicies, possibleTypes });
  const client = new ApolloClient({ cache, link: new HttpLink({ uri: served.endpoint, fetch: send }) });
  return {
    query: async (text) => (await client.query({ query: gql(text) })).data,
    cached: async (text) => client.readQuery({ query: gql(text) }) ?? undefined,
    mutate: async (text, variables) => (await client.mutate({ mutation: gql(text), variables })).data,
    requests,
  };
};

const documentId = (row: Readonly<Record<string, unknown>>): string | null =>
  typeof row["documentId"] === "string" ? row["documentId"] : null;

const answer = ({ data, error }: { data?: unknown; error?: Error | undefined }): unknown => {
  if (error) throw error;
  return data;
};

/** What urql answers to a query with the settings that it has by itself: it sends GET where the address is short enough. */
export const plainUrql = async (
  { endpoint, authorization }: ServedExample,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> => {
  const fetchOptions = { headers: { authorization, ...headers } };
  const client = new Client({ url: endpoint, exchanges: [fetchExchange], fetchOptions });
  return answer(await client.query(text, {}).toPromise());
};

export const urql = async (format: Format, served: ServedExample): Promise<CachingClient> => {
  const { send, requests } = counting(served);
  const schema = await introspect(served);
  const { __schema: described } = schema;
  // What has no id is kept inside of what holds it.
  const embedded = described.types.flatMap((type) =>
    type.kind === "OBJECT" && !type.fields.some(({ name }) => name === "id") ? [[type.name, () => null]] : [],
  );
  const documents = format === "flat" ? DOCUMENTS.map((name) => [name, documentId]) : [];
  const keys = { ...Object.fromEntries(embedded), ...Object.fromEntries(documents) };
  const client = new Client({
    url: served.endpoint,
    fetch: send,
    preferGetMethod: false,
    exchanges: [cacheExchange({ keys, schema }), fetchExchange],
  });
  return {
    query: async (text) => answer(await client.query(text, {}).toPromise()),
    cached: async (text) =>
      answer(await client.query(text, {}, { requestPolicy: "cache-only" }).toPromise()) ?? undefined,
    mutate: async (text, variables) => answer(await client.mutation(text, variables).toPromise()),
    requests,
  };
};
