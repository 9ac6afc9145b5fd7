/** The queries of content types: one read of the engine each. */
import type { GraphQLResolveInfo } from "graphql";
import { system } from "../../access/caller.ts";
import { ValidationError } from "../../base/errors.ts";
import {
  NEWEST,
  objectOf,
  objectsOf,
  type Pagination,
  type PageLimits,
  PlanSize,
  type ReadContext,
  readMany,
  readOne,
  readSingle,
  type RawQuery,
  type RowSet,
} from "../../query/index.ts";
import type { Node } from "../builder.ts";
import type { GraphqlContext } from "../context.ts";
import type { TypeDeclaration } from "../declaration.ts";
import type { GraphqlFormat } from "../schema/scope.ts";
import { typeFilter } from "./filters.ts";
import type { Arguments, Reads } from "./operations.ts";
import { documentSelection, type Place, type RowSelection, type SelectionContext } from "./selection.ts";
import { descend, rootSelection } from "./subfields.ts";

/** What the operations of one schema share. */
export interface OperationScope {
  readonly format: GraphqlFormat;
  readonly limits: PageLimits;
  /** Content types by GraphQL name. */
  readonly types: ReadonlyMap<string, TypeDeclaration>;
}

export const createReads = (scope: OperationScope): Reads => {
  const entity = scope.format === "entity";
  const uncounted = { ...scope, limits: { ...scope.limits, withCount: false } };
  const wrap = (row: Node | null): Node | null => (entity ? { data: row } : row);

  return {
    async findOne(declaration, args, context, info) {
      const id = args[entity ? "id" : "documentId"];
      if (typeof id !== "string") return wrap(null);
      return wrap(await readDocument(scope, declaration, id, args, context, info));
    },
    async findSingle(declaration, args, context, info) {
      const query = queryOf(scope, declaration, args, documentRows(scope, declaration, context, info));
      return wrap(nodeOf(await readSingle(queryContext(scope, context, info), declaration.type, query)));
    },
    async findList(declaration, args, context, info) {
      const selection = documentSelection(selectionContext(scope, context, info), declaration, rootSelection(info));
      const query = queryOf(scope, declaration, args, selection);
      return objectsOf((await readMany(queryContext(uncounted, context, info), declaration.type, query)).documents);
    },
    async findCollection(declaration, args, context, info) {
      const { type, nodes } = rootSelection(info);
      const place = descend(info, type, nodes, entity ? "data" : "nodes");
      const selection = place
        ? documentSelection(selectionContext(scope, context, info), declaration, place)
        : { fields: ["id"], populate: {} };
      const query = queryOf(scope, declaration, args, selection);
      const { documents, pagination } = await readMany(queryContext(scope, context, info), declaration.type, query);
      const rows = objectsOf(documents);
      const facts = pageFacts(pagination);
      return entity ? { data: rows, meta: { pagination: facts } } : { nodes: rows, pageInfo: facts };
    },
    async show(declaration, documentId, context, info) {
      const { type, nodes } = rootSelection(info);
      const place = descend(info, type, nodes, "data");
      return { data: place ? await showPlace(scope, declaration, documentId, context, info, place) : null };
    },
    async showBare(declaration, documentId, context, info) {
      return (await showPlace(scope, declaration, documentId, context, info, rootSelection(info))) ?? {};
    },
  };
};

/** A document for its writer, who may see it even without the permission to find it. */
const showPlace = async (
  scope: OperationScope,
  declaration: TypeDeclaration,
  documentId: string,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  place: Place,
): Promise<Node | null> => {
  const asWriter = { ...context, caller: system };
  const selection = documentSelection(selectionContext(scope, asWriter, info), declaration, place);
  return nodeOf(await readOne(readContext(scope, asWriter), declaration.type, documentId, { ...selection }));
};

/**
 * One document with the selection of the current root field. The entity format shows the draft of a document that is
 * not published to callers who may read drafts.
 */
export const readDocument = async (
  scope: OperationScope,
  declaration: TypeDeclaration,
  documentId: string,
  args: Arguments,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
): Promise<Node | null> => {
  const newest = scope.format === "entity" ? { ...args, publicationState: "preview" } : args;
  const query = queryOf(scope, declaration, newest, documentRows(scope, declaration, context, info));
  return nodeOf(await readOne(queryContext(scope, context, info), declaration.type, documentId, query));
};

/** The selection of a root field that answers with one document. */
export const documentRows = (
  scope: OperationScope,
  declaration: TypeDeclaration,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
): RowSelection => {
  const { type, nodes } = rootSelection(info);
  const place = scope.format === "entity" ? descend(info, type, nodes, "data") : { type, nodes };
  return place
    ? documentSelection(selectionContext(scope, context, info), declaration, place)
    : { fields: ["id"], populate: {} };
};

const selectionContext = (
  scope: OperationScope,
  { caller, services }: GraphqlContext,
  info: GraphQLResolveInfo,
): SelectionContext => ({
  size: new PlanSize(services.config.rest.planSize),
  info,
  caller,
  format: scope.format,
  limits: scope.limits,
  types: scope.types,
});

export const readContext = ({ limits }: OperationScope, { services, caller }: GraphqlContext) => ({
  services,
  caller,
  limits,
  code: true,
});

/** Replicas may answer what belongs to no mutation. */
const queryContext = (
  scope: OperationScope,
  context: GraphqlContext,
  { operation: { operation } }: GraphQLResolveInfo,
): ReadContext => ({
  ...readContext(scope, context),
  session: operation === "query" ? context.services.database.reader : undefined,
});

const queryOf = (
  { format }: OperationScope,
  declaration: TypeDeclaration,
  args: Arguments,
  selection: RowSelection,
): RawQuery => ({
  ...selection,
  filters: args["filters"] ? typeFilter(declaration, args["filters"]) : undefined,
  sort: sortOf(args["sort"]),
  pagination: args["pagination"],
  status: format === "entity" ? (args["publicationState"] === "live" ? "published" : NEWEST) : args["status"],
  publicationFilter: args["publicationFilter"] ?? undefined,
  hasPublishedVersion: args["hasPublishedVersion"] ?? undefined,
  locale: localeOf(format, args["locale"]),
});

const sortOf = (sort: unknown): unknown => {
  if (Array.isArray(sort) && sort.includes(null)) throw new ValidationError("Invalid key 0");
  return sort;
};

/** The entity format's word for every locale is `all`. */
export const localeOf = (format: GraphqlFormat, locale: unknown): unknown =>
  format === "entity" && locale === "all" ? "*" : (locale ?? undefined);

/** The document as resolvers look into it. */
export const nodeOf = (document: RowSet | null): Node | null => (document === null ? null : objectOf(document));

/** Both schemas count in pages, however the page was asked for. */
export const pageFacts = ({ start, limit, page, pageSize, total = 0 }: Pagination) => {
  const size = pageSize ?? limit ?? 1;
  return {
    total,
    page: page ?? Math.floor((start ?? 0) / size) + 1,
    pageSize: size,
    pageCount: Math.ceil(total / size),
  };
};
