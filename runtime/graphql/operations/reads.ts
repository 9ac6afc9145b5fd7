/** The queries of content types: one read of the engine each. */
import type { GraphQLResolveInfo } from "graphql";
import { type Reader, readerFor } from "../../database/database.ts";
import { limited, shown } from "../../documents/read-hooks.ts";
import {
  emptySet,
  NEWEST,
  objectOf,
  PlanSize,
  type Prepared,
  prepare,
  type RawQuery,
  type ReadContext,
  type RowSet,
  runMany,
  runOne,
  runSingle,
} from "../../query/index.ts";
import type { TypeDeclaration } from "../catalog.ts";
import type { GraphqlContext, ReadingContext } from "../context.ts";
import type { Node } from "../node.ts";
import type { GraphqlFormat, OperationScope } from "../plugin/options.ts";
import { listOptions } from "./filters.ts";
import type { Arguments, Found, RootRead } from "./operations.ts";
import { pageFacts, paginationOf, selectsTotal, withTotal } from "./pagination.ts";
import { documentSelection, type RowSelection, type SelectionContext } from "./selection.ts";
import { descend, type Place, rootSelection } from "./subfields.ts";

/** The arguments that name a document. */
export const IDENTITY: ReadonlySet<string> = new Set(["id", "documentId"]);

/** In the entity format a single document is in a member of the answer. */
const wrapperOf = ({ format }: OperationScope) => (format === "entity" ? "data" : undefined);

const prepareOne =
  (scope: OperationScope): RootRead["prepare"] =>
  (declaration, args, context, info, limits = {}) => {
    const query = queryOf(scope, declaration, args, context, info, documentPlaces(scope, info));
    return prepare(readContext(scope, context), declaration.type, limited(query, limits), true);
  };

const foundOne = async (context: ReadingContext, { plan }: Prepared, found: RowSet | null): Promise<Found> => ({
  documents: await shown(context, found ?? emptySet(plan.level)),
  facts: {},
});

/** One document, by its id. */
export const findOne = (scope: OperationScope): RootRead => ({
  member: wrapperOf(scope),
  many: false,
  // The entity format shows the draft of a document that is not published to callers who may read drafts.
  prepare: (declaration, args, ...rest) =>
    prepareOne(scope)(
      declaration,
      scope.format === "entity" ? { ...args, publicationState: "preview" } : args,
      ...rest,
    ),
  async read(prepared, args, context) {
    const id = args["id"] ?? args["documentId"];
    const found = typeof id === "string" ? await runOne(replicaContext(scope, context), prepared, id) : null;
    return foundOne(context, prepared, found);
  },
});

/** The document of a single type. */
export const findSingle = (scope: OperationScope): RootRead => ({
  member: wrapperOf(scope),
  many: false,
  prepare: prepareOne(scope),
  read: async (prepared, _args, context) =>
    foundOne(context, prepared, await runSingle(replicaContext(scope, context), prepared)),
});

/** The bare list of the flat format. */
export const findList = (scope: OperationScope): RootRead => {
  const uncounted = { ...scope, limits: { ...scope.limits, withCount: false } };
  return {
    member: undefined,
    many: true,
    prepare(declaration, args, context, info, limits = {}) {
      const query = queryOf(scope, declaration, args, context, info, [rootSelection(info)]);
      return prepare(readContext(uncounted, context), declaration.type, limited(query, limits), false);
    },
    read: async (prepared, _args, context) => ({
      documents: await shown(context, (await runMany(replicaContext(uncounted, context), prepared)).documents),
      facts: {},
    }),
  };
};

/** The list with its page facts. */
export const findCollection = (scope: OperationScope): RootRead => {
  const [member, beside] = scope.format === "entity" ? (["data", "meta"] as const) : (["nodes", "pageInfo"] as const);
  return {
    member,
    many: true,
    prepare(declaration, args, context, info, limits = {}) {
      const root = [rootSelection(info)];
      const query = limited(queryOf(scope, declaration, args, context, info, descend(info, root, member)), limits);
      const isTotalAsked = () => selectsTotal(info, descend(info, root, beside));
      const counted = { ...query, pagination: withTotal(query["pagination"], isTotalAsked) };
      return prepare(readContext(scope, context), declaration.type, counted, false);
    },
    async read(prepared, _args, context) {
      const { documents, pagination } = await runMany(replicaContext(scope, context), prepared);
      const facts = pageFacts(pagination);
      return {
        documents: await shown(context, documents),
        facts: { [beside]: beside === "meta" ? { pagination: facts } : facts },
      };
    },
  };
};

/** Reads a document of which only its id is known. */
type ReadLast = (documentId: string, session?: Reader) => Promise<() => Promise<Node>>;

/**
 * Checks and plans what a mutation selects, before anything is done. Callers need not be allowed to find the document. What
 * this returns reads it, in the transaction that is given, and shows it behind that.
 *
 * @param isWrapped whether the document is in the member `data` of the answer
 */
export const showLast = (
  scope: OperationScope,
  declaration: TypeDeclaration,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  isWrapped = true,
): ReadLast => {
  const root = [rootSelection(info)];
  const places = isWrapped ? descend(info, root, "data") : root;
  const selection = documentSelection(selectionContext(scope, context, info), declaration, places);
  const read = readContext(scope, context);
  const prepared = places.length > 0 ? prepare(read, declaration.type, { ...selection }, true) : undefined;
  return async (documentId, session) => {
    const found = prepared ? await runOne({ ...read, session }, prepared, documentId) : null;
    return async () => {
      const node = nodeOf(found && (await shown(context, found)));
      return isWrapped ? { data: node } : (node ?? {});
    };
  };
};

/** The same for a document that stays. */
export const show = (...asked: Parameters<typeof showLast>): ((documentId: string) => Promise<Node>) => {
  const read = showLast(...asked);
  return async (documentId) => (await read(documentId))();
};

/** Where a root field that answers with one document selects it. */
const documentPlaces = ({ format }: OperationScope, info: GraphQLResolveInfo): readonly Place[] => {
  const root = [rootSelection(info)];
  return format === "entity" ? descend(info, root, "data") : root;
};

/** What such a field selects. */
export const documentRows = (
  scope: OperationScope,
  declaration: TypeDeclaration,
  context: ReadingContext,
  info: GraphQLResolveInfo,
): RowSelection => documentSelection(selectionContext(scope, context, info), declaration, documentPlaces(scope, info));

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

/** What a root field asks for, with what is selected of its documents in some places. */
const queryOf = (
  scope: OperationScope,
  declaration: TypeDeclaration,
  args: Arguments,
  context: ReadingContext,
  info: GraphQLResolveInfo,
  places: readonly Place[],
): RawQuery => {
  const { format } = scope;
  const selecting = selectionContext(scope, context, info);
  return {
    ...listOptions(selecting, declaration, args),
    ...documentSelection(selecting, declaration, places),
    pagination: paginationOf(args["pagination"]),
    status: format === "entity" ? (args["publicationState"] === "live" ? "published" : NEWEST) : args["status"],
    publicationFilter: args["publicationFilter"] ?? undefined,
    hasPublishedVersion: args["hasPublishedVersion"] ?? undefined,
    locale: localeOf(format, args["locale"]),
  };
};

/** The entity format's word for every locale is `all`. */
const localeOf = (format: GraphqlFormat, locale: unknown): unknown =>
  format === "entity" && locale === "all" ? "*" : (locale ?? undefined);

/** The document as resolvers look into it. */
export const nodeOf = (document: RowSet | null): Node | null => (document === null ? null : objectOf(document));
