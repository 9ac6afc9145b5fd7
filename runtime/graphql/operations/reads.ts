/** The queries of content types: each is one read of the engine. */
import type { SearchMeta } from "../../client/answers.ts";
import { type Reader, readerFor } from "../../database/database.ts";
import { limited, limitsOf, shown } from "../../documents/read-hooks.ts";
import {
  emptySet,
  NEWEST,
  objectOf,
  objectsOf,
  PlanSize,
  type Prepared,
  prepare,
  type RawQuery,
  type ReadContext,
  type RowSet,
  runMany,
  runOne,
  runSingle,
  searchMetaOf,
} from "../../query/index.ts";
import type { Node, ReadingContext } from "../context.ts";
import { noteRoot } from "../schema/ready.ts";
import { listOptions, searchOptions } from "./filters.ts";
import type { Arguments, Call, Found, OperationScope, RootRead } from "./operations.ts";
import { pageFacts, paginationOf, selectsTotal, withTotal } from "./pagination.ts";
import { documentSelection, type RowSelection, type SelectionContext } from "./selection.ts";
import { descend, type Place, rootSelection } from "./subfields.ts";

/** The arguments that identify a document. */
export const IDENTITY: ReadonlySet<string> = new Set(["id", "documentId"]);

/** The member of the response that holds the documents; undefined if they are the response themselves. */
export const memberOf = ({ reads, scope: { format } }: RootRead): "data" | "nodes" | undefined => {
  if (format === "entity") return "data";
  return reads === "page" ? "nodes" : undefined;
};

const isMany = ({ reads }: RootRead): boolean => reads === "list" || reads === "page";

/** The places where a root field selects from a member of its response. */
const placesIn = ({ info }: Pick<Call, "info">, member: string | undefined): readonly Place[] => {
  const root = [rootSelection(info)];
  return member === undefined ? root : descend(info, root, member);
};

/**
 * Checks and plans the selection, regardless of which single document is read.
 *
 * @param limits what hooks add to the query
 * @throws HttpError for faults of the query
 */
export const prepareRoot = (
  root: RootRead,
  { args, context, info }: Pick<Call<ReadingContext>, "args" | "context" | "info">,
  limits: RawQuery = {},
): Prepared => {
  const call = { ...root, args, context, info };
  const query = limited(queryOf(call, placesIn(call, memberOf(root))), limits);
  const isTotalSelected = () => selectsTotal(info, placesIn(call, factsOf(root.scope)));
  const { pagination } = query;
  return prepare(
    rootContext(root, context),
    root.declaration.type,
    { ...query, pagination: root.reads === "page" ? withTotal(pagination, isTotalSelected) : pagination },
    !isMany(root),
  );
};

/** The member of a page that holds the page facts. */
const factsOf = ({ format }: OperationScope): "meta" | "pageInfo" => (format === "entity" ? "meta" : "pageInfo");

/** Runs a prepared read. */
export const readRoot = async (
  root: RootRead,
  prepared: Prepared,
  args: Arguments,
  context: ReadingContext,
): Promise<Found> => {
  const { database, readHooks } = context.services;
  // Replicas may answer reads outside of mutations.
  const reading = { ...rootContext(root, context), session: readerFor(database.reader ?? database, context.client) };
  if (!isMany(root)) {
    const found = await readDocument(root, reading, prepared, args);
    const document = found ?? emptySet(prepared.plan.level);
    return { documents: readHooks ? await shown(context, document) : document, facts: {} };
  }
  const { documents, pagination, ran } = await runMany(reading, prepared);
  const visible = readHooks ? await shown(context, documents) : documents;
  if (root.reads !== "page") return { documents: visible, facts: {} };
  const member = factsOf(root.scope);
  const facts = pageFacts(pagination);
  const isChanged = readHooks?.after.has(root.declaration.type.uid);
  const search = await searchMetaOf(reading, ran, isChanged ? null : visible);
  return {
    documents: visible,
    facts: {
      [member]: member === "meta" ? { pagination: facts } : facts,
      ...(search ? { search: listed(search) } : {}),
    },
  };
};

/** The same with facets as a list, since their names are those of attributes. */
const listed = ({ snippets, facets = {} }: SearchMeta): Node => ({
  snippets,
  facets: Object.entries(facets).map(([name, values]) => ({ name, values })),
});

const readDocument = (
  { reads }: RootRead,
  reading: ReadContext,
  prepared: Prepared,
  args: Arguments,
): Promise<RowSet | null> | null => {
  if (reads === "single") return runSingle(reading, prepared);
  const id = args["id"] ?? args["documentId"];
  return typeof id === "string" ? runOne(reading, prepared, id) : null;
};

/** The resolver of a field of `Query` that reads everything selected below it. */
export const resolveRead = (root: RootRead) =>
  noteRoot(root, async (_root, args, context, info) => {
    const limits = await limitsOf(context, root.declaration.type);
    context.budget?.assertNotExceeded();
    const prepared = prepareRoot(root, { args, context, info }, limits);
    const { documents, facts } = await readRoot(root, prepared, args, context);
    const shownDocuments = isMany(root) ? objectsOf(documents) : nodeOf(documents.rows.length === 0 ? null : documents);
    const member = memberOf(root);
    return (member === undefined ? shownDocuments : { ...facts, [member]: shownDocuments }) as never;
  });

/** Reads a document by its id. */
type ReadLast = (documentId: string, session?: Reader) => Promise<() => Promise<Node>>;

/**
 * Checks and plans what a mutation selects, before it changes anything. Callers need no permission to find the
 * document. The returned function reads the document in the given transaction; the function that this returns shows it
 * afterwards.
 *
 * @param isWrapped whether the document is in the member `data` of the response
 */
export const showLast = (call: Omit<Call, "args">, isWrapped = true): ReadLast => {
  const { scope, declaration, context } = call;
  const places = placesIn(call, isWrapped ? "data" : undefined);
  const selection = documentSelection(selectionContext(call), declaration, places);
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

/** The same for a document that the mutation does not delete. */
export const show = (...asked: Parameters<typeof showLast>): ((documentId: string) => Promise<Node>) => {
  const read = showLast(...asked);
  return async (documentId) => (await read(documentId))();
};

/** What a root field selects of the document in its response. */
export const documentRows = (call: Omit<Call, "args">): RowSelection =>
  documentSelection(
    selectionContext(call),
    call.declaration,
    placesIn(call, call.scope.format === "entity" ? "data" : undefined),
  );

const selectionContext = ({ scope, context, info }: Omit<Call<ReadingContext>, "args">): SelectionContext => ({
  ...scope,
  info,
  caller: context.caller,
  schema: context.services.queries.schema,
  size: PlanSize.ofBreadth(context.services.config.rest.planSize),
});

export const readContext = ({ limits }: OperationScope, { services, caller, budget }: ReadingContext) => ({
  services,
  caller,
  limits,
  budget,
  code: true,
});

/** Bare lists are not counted. */
const rootContext = ({ scope, reads }: RootRead, context: ReadingContext) => ({
  ...readContext(reads === "list" ? { ...scope, limits: { ...scope.limits, withCount: false } } : scope, context),
  fallsBack: true,
});

/** The query of a root field, with what the given places select of its documents. */
const queryOf = (call: Call<ReadingContext>, places: readonly Place[]): RawQuery => {
  const { scope, declaration, args } = call;
  const isEntity = scope.format === "entity";
  const selecting = selectionContext(call);
  return {
    ...listOptions(selecting, declaration, args),
    ...searchOptions(selecting, declaration, args),
    ...documentSelection(selecting, declaration, places),
    pagination: paginationOf(args["pagination"]),
    // The entity format also shows a single document as a draft, to callers who may read drafts.
    status: isEntity ? (args["publicationState"] === "live" ? "published" : NEWEST) : args["status"],
    publicationFilter: args["publicationFilter"] ?? undefined,
    hasPublishedVersion: args["hasPublishedVersion"] ?? undefined,
    // The entity format's word for every locale is `all`.
    locale: isEntity && args["locale"] === "all" ? "*" : (args["locale"] ?? undefined),
    fallback: args["fallback"] ?? undefined,
  };
};

/** The document as the node that resolvers read from. */
const nodeOf = (document: RowSet | null): Node | null => (document === null ? null : objectOf(document));

/**
 * A document as it was last written or seen, in the shape of the format; null in its place if there is none, or if the
 * caller may not read it.
 */
export const answerOf = async ({ context, scope }: Call, found: RowSet | null | undefined): Promise<Node | null> => {
  const node = nodeOf(found ? await shown(context, found) : null);
  return scope.format === "entity" ? { data: node } : node;
};

/** What functions of the document service take first: the context, and the type. */
export const subjectOf = ({ scope, context, declaration }: Call) =>
  [readContext(scope, context), declaration.type] as const;
