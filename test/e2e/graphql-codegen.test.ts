/** Types that graphql-codegen makes from the written schema, for the operations of a client. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { codegen } from "@graphql-codegen/core";
import * as operations from "@graphql-codegen/typescript-operations";
import { parse } from "graphql";
import { expect, test } from "vitest";
import { exampleIn, type Format } from "../support/graphql-project.ts";
import { typeCheck, workspace, writeFiles } from "../support/workspace.ts";

const parts = `fragment Parts on Article {
  title slug body featured publishedAt seo { id metaTitle }
  sections { __typename ... on ComponentBlocksQuote { id text } ... on ComponentBlocksText { id body } ... on Error { code } }
}`;

const documents: Readonly<Record<Format, string>> = {
  entity: `${parts}
    query List($filters: ArticleFiltersInput, $pagination: PaginationArg, $state: PublicationState, $locale: I18NLocaleCode) {
      articles(filters: $filters, pagination: $pagination, publicationState: $state, locale: $locale) {
        data { id attributes { ...Parts author { data { attributes { name } } } } }
        meta { pagination { total } }
      }
    }
    mutation Create($data: ArticleInput!) { createArticle(data: $data) { data { id } } }`,
  flat: `${parts}
    query List($filters: ArticleFiltersInput, $pagination: PaginationArg, $status: PublicationStatus, $locale: I18NLocaleCode) {
      articles_connection(filters: $filters, pagination: $pagination, status: $status, locale: $locale) {
        nodes { documentId ...Parts author { name } }
        pageInfo { total }
      }
    }
    mutation Create($data: ArticleInput!) { createArticle(data: $data) { documentId } }`,
};

/** What a program does with the types; each expected error would be one with types that are too loose. */
const uses: Readonly<Record<Format, string>> = {
  entity: `import type { CreateMutationVariables, ListQuery, ListQueryVariables } from "./types.ts";

export const asked: ListQueryVariables = { filters: { title: { containsi: "sea" }, author: { id: { in: ["a"] } } }, state: "PREVIEW" };
// @ts-expect-error there is no such state
export const wrongState: ListQueryVariables = { state: "DRAFT" };
// @ts-expect-error there is no such attribute
export const wrongFilter: ListQueryVariables = { filters: { titel: { eq: "sea" } } };
export const written: CreateMutationVariables = { data: { title: "Sea", seo: { metaTitle: "Sea" } } };
export const titles = ({ articles }: ListQuery): readonly string[] =>
  articles?.data.flatMap(({ attributes }) => attributes?.title ?? []) ?? [];
export const total = ({ articles }: ListQuery): number | undefined => articles?.meta.pagination.total;
`,
  flat: `import type { CreateMutationVariables, ListQuery, ListQueryVariables } from "./types.ts";

export const asked: ListQueryVariables = { filters: { title: { containsi: "sea" }, author: { documentId: { in: ["a"] } } }, status: "DRAFT" };
// @ts-expect-error there is no such status
export const wrongStatus: ListQueryVariables = { status: "PREVIEW" };
// @ts-expect-error there is no such attribute
export const wrongFilter: ListQueryVariables = { filters: { titel: { eq: "sea" } } };
export const written: CreateMutationVariables = { data: { title: "Sea", seo: { metaTitle: "Sea" } } };
export const titles = ({ articles_connection: list }: ListQuery): readonly string[] =>
  list?.nodes.map(({ title }) => title) ?? [];
export const total = ({ articles_connection: list }: ListQuery): number | undefined => list?.pageInfo.total;
`,
};

const scalars = {
  JSON: "unknown",
  DateTime: "string",
  I18NLocaleCode: "string",
  ArticleSectionsDynamicZoneInput: "object",
};

test.each(["entity", "flat"] as const)(
  "types made from the written schema of the %s format compile under strict options",
  async (format) => {
    const root = await exampleIn(format);
    const schema = parse(await readFile(path.join(root, "generated", "schema.graphql"), "utf8"));
    const types = await codegen({
      filename: "types.ts",
      schema,
      documents: [{ location: "client.graphql", document: parse(documents[format]) }],
      plugins: [{ operations: {} }],
      pluginMap: { operations },
      config: { scalars, defaultScalarType: "unknown" },
    });
    const client = workspace();
    writeFiles(path.join(client, "generated"), [
      ["types.ts", types],
      ["uses.ts", uses[format]],
    ]);
    expect(await typeCheck(client)).toEqual({ code: 0, stdout: "", stderr: "" });
  },
);
