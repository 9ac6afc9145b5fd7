/** Describes the routes of files and locales, and of GraphQL. */
import { jsonBody, type OperationDescription } from "./endpoint.ts";
import { anyOf, integer, type JsonObject, list, record, ref, text, truth } from "./json-schema.ts";
import { parameterRef } from "./queries.ts";

const id = { name: "id", in: "query", schema: integer, description: "The file that the new one takes the place of." };

const fileInfo = {
  type: "string",
  description: "JSON: `name`, `alternativeText`, `caption`. Once, or once for each file.",
};

const form = record({
  files: list({ type: "string", format: "binary" }),
  fileInfo: anyOf(fileInfo, list(fileInfo)),
  ref: { type: "string", description: "The uid of the type that the files belong to." },
  refId: { type: "string", description: "The document that they belong to." },
  field: { type: "string", description: "Its attribute." },
});

const files: Readonly<Record<string, Omit<OperationDescription, "tag">>> = {
  "POST /upload": {
    operationId: "uploadFiles",
    summary: "Takes files; with `id`, what is said of a file, or another file in its place",
    parameters: [id],
    body: { "multipart/form-data": { schema: form }, ...jsonBody(record({ fileInfo: {} })) },
    answers: { 200: ref("File"), 201: list(ref("File")) },
  },
  "GET /upload/files": {
    operationId: "findFiles",
    summary: "All files, or as many as `limit` says",
    parameters: [parameterRef("sort"), parameterRef("start"), parameterRef("limit"), parameterRef("FileFilters")],
    answers: { 200: list(ref("File")) },
  },
  "GET /upload/files/page": {
    operationId: "findFilesPage",
    summary: "A page of files",
    parameters: [parameterRef("sort"), parameterRef("pagination"), parameterRef("FileFilters")],
    answers: { 200: record({ data: list(ref("File")), meta: record({ pagination: ref("Pagination") }) }, ["data"]) },
  },
  "GET /upload/files/:id": {
    operationId: "findFile",
    summary: "What is known of a file",
    answers: { 200: ref("File") },
  },
  "DELETE /upload/files/:id": {
    operationId: "deleteFile",
    summary: "Deletes a file, and shows it for the last time",
    answers: { 200: ref("File") },
  },
};

const locale = record({ id: integer, documentId: text, name: text, code: text, isDefault: truth }, [
  "id",
  "code",
  "name",
  "isDefault",
]);

const described = { uid: text, schema: record({ attributes: { type: "object" } }) };
const describedType = record({ apiID: text, plugin: text, ...described }, ["uid", "apiID", "schema"]);
const describedComponent = record({ category: text, apiId: text, ...described }, ["uid", "category", "schema"]);

const schemas: Readonly<Record<string, Omit<OperationDescription, "tag">>> = {
  "GET /content-type-builder/content-types": {
    operationId: "findContentTypes",
    summary: "What content types are declared, with their attributes",
    answers: { 200: record({ data: list(describedType) }, ["data"]) },
  },
  "GET /content-type-builder/content-types/:uid": {
    operationId: "findContentType",
    summary: "One content type",
    answers: { 200: record({ data: describedType }, ["data"]) },
  },
  "GET /content-type-builder/components": {
    operationId: "findComponents",
    summary: "What components are declared, with their attributes",
    answers: { 200: record({ data: list(describedComponent) }, ["data"]) },
  },
  "GET /content-type-builder/components/:uid": {
    operationId: "findComponent",
    summary: "One component",
    answers: { 200: record({ data: describedComponent }, ["data"]) },
  },
};

const tagged = (tag: string, table: typeof schemas): Readonly<Record<string, OperationDescription>> =>
  Object.fromEntries(Object.entries(table).map(([route, description]) => [route, { ...description, tag }]));

/** By method and path below the prefix. */
export const otherRoutes: Readonly<Record<string, OperationDescription>> = {
  ...tagged("Files", files),
  ...tagged("Schemas", schemas),
  "GET /i18n/locales": {
    operationId: "findLocales",
    tag: "Locales",
    summary: "The configured locales",
    answers: { 200: list(locale) },
  },
};

export const otherParameters = (): JsonObject => ({
  FileFilters: { name: "filters", in: "query", style: "deepObject", explode: true, schema: { type: "object" } },
});

const graphqlAnswer = record({ data: {}, errors: list({ type: "object" }), extensions: { type: "object" } });

const inQuery = (name: string, required: boolean): JsonObject => ({ name, in: "query", required, schema: text });

/** Descriptions of the GraphQL endpoint by method; its own schema describes the rest. */
export const graphqlRoutes: Readonly<Record<string, OperationDescription>> = {
  GET: {
    operationId: "queryGraphql",
    tag: "GraphQL",
    summary: "Queries",
    parameters: [inQuery("query", false), inQuery("variables", false), inQuery("operationName", false)],
    answers: { 200: graphqlAnswer },
    otherwise: graphqlAnswer,
  },
  POST: {
    operationId: "graphql",
    tag: "GraphQL",
    summary: "Queries and mutations; the schema is in schema.graphql",
    body: jsonBody(
      record({ query: text, variables: { type: ["object", "null"] }, operationName: { type: ["string", "null"] } }),
    ),
    answers: { 200: graphqlAnswer },
    otherwise: graphqlAnswer,
  },
};
