/** The queries of content types: one read of the engine each. */
import type { GraphQLResolveInfo } from "graphql";
import { ValidationError } from "../../base/errors.ts";
import { type Reader, readerFor } from "../../database/database.ts";
import { limited, shown } from "../../documents/read-hooks.ts";
import {
  emptySet,
  NEWEST,
  objectOf,
  type PageLimits,
  PlanSize,
  prepare,
  type RawQuery,
  type ReadContext,
  type RowSet,
  runMany,
  runOne,
  runSingle,
} from "../../query/index.ts";
import type { Catalog, TypeDeclaration } from "../catalog.ts";
import type { GraphqlContext, ReadingContext } from "../context.ts";
import type { Node } from "../node.ts";
import type { GraphqlFormat } from "../plugin/options.ts";
import { typeFilter } from "./filters.ts";
import { checkGuarded } from "./guarded-fields.ts";
import type { Arguments, Reads, RootRead } from "./operations.ts";
import { pageFacts, paginationOf, selectsTotal, withTotal } from "./pagination.ts";
import { documentSelection, type RowSelection, type SelectionContext } from "./selection.ts";
import { descend, type Place, rootSelection } from "./subfields.ts";

/** What the operations of one schema share. */
export interface OperationScope {
  readonly format: GraphqlFormat;
  readonly limits: PageLimits;
  readonly catalog: Catalog;
}

/** The arguments that name a document. */
export const IDENTITY: ReadonlySet<string> = new Set(["id", "documentId"]);

export const createReads = (scope: OperationScope): Reads => {
  const entity = scope.format === "entity";
  const member = entity ? "data" : undefined;
  const uncounted = { ...scope, limits: { ...scope.limits, withCount: false } };
  const one: RootRead["prepare"] = (declaration, args, context, info, limits = {}) =>
    prepare(
      readContext(scope, context),
      declaration.type,
      limited(queryOf(scope, declaration, args, documentRows(scope, declaration, context, info)), limits),
      true,
    );

  return {
    findOne: {
      member,
      many: false,
      // The entity format shows the draft of a document that is not published to callers who may read drafts.
      prepare: (declaration, args, context, info, limits) =>
        one(declaration, entity ? { ...args, publicationState: "preview" } : args, context, info, limits),
      async read(prepared, args, context) {
        const id = args[entity ? "id" : "documentId"];
        const found = typeof id === "string" ? await runOne(replicaContext(scope, context), prepared, id) : null;
        return { documents: await shown(context, found ?? emptySet(prepared.plan.level)), facts: {} };
      },
    },
    findSingle: {
      member,
      many: false,
      prepare: one,
      async read(prepared, _args, context) {
        const found = await runSingle(replicaContext(scope, context), prepared);
        return { documents: await shown(context, found ?? emptySet(prepared.plan.level)), facts: {} };
      },
    },
    findList: {
      member: undefined,
      many: true,
      prepare(declaration, args, context, info, limits = {}) {
        checkGuarded({ info, caller: context.caller, catalog: scope.catalog }, declaration, args);
        const selection = documentSelection(selectionContext(scope, context, info), declaration, [rootSelection(info)]);
        const query = limited(queryOf(scope, declaration, args, selection), limits);
        return prepare(readContext(uncounted, context), declaration.type, query, false);
      },
      read: async (prepared, _args, context) => ({
        documents: await shown(context, (await runMany(replicaContext(uncounted, context), prepared)).documents),
        facts: {},
      }),
    },
    findCollection: {
      member: entity ? "data" : "nodes",
      many: true,
      prepare(declaration, args, context, info, limits = {}) {
        checkGuarded({ info, caller: context.caller, catalog: scope.catalog }, declaration, args);
        const root = [rootSelection(info)];
        const places = descend(info, root, entity ? "data" : "nodes");
        const selection = documentSelection(selectionContext(scope, context, info), declaration, places);
        const query = limited(queryOf(scope, declaration, args, selection), limits);
        const facts = descend(info, root, entity ? "meta" : "pageInfo");
        const counted = { ...query, pagination: withTotal(query["pagination"], () => selectsTotal(info, facts)) };
        return prepare(readContext(scope, context), declaration.type, counted, false);
      },
      async read(prepared, _args, context) {
        const { documents, pagination } = await runMany(replicaContext(scope, context), prepared);
        const facts = pageFacts(pagination);
        return {
          documents: await shown(context, documents),
          facts: entity ? { meta: { pagination: facts } } : { pageInfo: facts },
        };
      },
    },
    show(declaration, context, info) {
      const places = descend(info, [rootSelection(info)], "data");
      const show = places.length > 0 ? showPlaces(scope, declaration, context, info, places) : undefined;
      return async (documentId) => ({ data: show ? await (await show(documentId))() : null });
    },
    showLast(declaration, context, info) {
      const places = descend(info, [rootSelection(info)], "data");
      const show = places.length > 0 ? showPlaces(scope, declaration, context, info, places) : undefined;
      return async (documentId, session) => {
        const seen = await show?.(documentId, session);
        return async () => ({ data: seen ? await seen() : null });
      };
    },
    showBare(declaration, context, info) {
      const show = showPlaces(scope, declaration, context, info, [rootSelection(info)]);
      return async (documentId) => (await (await show(documentId))()) ?? {};
    },
  };
};

const showPlaces = (
  scope: OperationScope,
  declaration: TypeDeclaration,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  places: readonly Place[],
): ((documentId: string, session?: Reader) => Promise<() => Promise<Node | null>>) => {
  const selection = documentSelection(selectionContext(scope, context, info), declaration, places);
  const read = readContext(scope, context);
  const prepared = prepare(read, declaration.type, { ...selection }, true);
  return async (documentId, session) => {
    const found = await runOne({ ...read, session }, prepared, documentId);
    return async () => nodeOf(found && (await shown(context, found)));
  };
};

/** The selection of a root field that answers with one document. */
export const documentRows = (
  scope: OperationScope,
  declaration: TypeDeclaration,
  context: ReadingContext,
  info: GraphQLResolveInfo,
): RowSelection => {
  const root = [rootSelection(info)];
  const places = scope.format === "entity" ? descend(info, root, "data") : root;
  return documentSelection(selectionContext(scope, context, info), declaration, places);
};

const selectionContext = (
  scope: OperationScope,
  { caller, services }: ReadingContext,
  info: GraphQLResolveInfo,
): SelectionContext => ({
  size: PlanSize.ofBreadth(services.config.rest.planSize),
  info,
  caller,
  format: scope.format,
  limits: scope.limits,
  catalog: scope.catalog,
});

export const readContext = ({ limits }: OperationScope, { services, caller, budget }: ReadingContext) => ({
  services,
  caller,
  limits,
  budget,
  code: true,
});

/** Replicas may answer what belongs to no mutation. */
const replicaContext = (scope: OperationScope, context: ReadingContext): ReadContext => ({
  ...readContext(scope, context),
  session: readerFor(context.services.database.reader ?? context.services.database, context.client),
});

const queryOf = (
  { format, catalog }: OperationScope,
  declaration: TypeDeclaration,
  args: Arguments,
  selection: RowSelection,
): RawQuery => ({
  ...selection,
  filters: args["filters"] ? typeFilter(catalog, declaration, args["filters"]) : undefined,
  sort: sortOf(args["sort"]),
  pagination: paginationOf(args["pagination"]),
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
