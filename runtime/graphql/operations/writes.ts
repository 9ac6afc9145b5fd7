/** The mutations of content types, through the document service. */
import type { GraphQLResolveInfo } from "graphql";
import { system } from "../../access/caller.ts";
import { mayReadDrafts } from "../../access/drafts.ts";
import { ApplicationError, ForbiddenError, HttpError, NotFoundError } from "../../base/errors.ts";
import * as documents from "../../documents/operations/index.ts";
import { shown } from "../../documents/read-hooks.ts";
import { NEWEST, type RawQuery, readOne, readSingle, type RowSet } from "../../query/index.ts";
import type { Status } from "../../schema/document.ts";
import type { TypeDeclaration } from "../catalog.ts";
import type { GraphqlContext } from "../context.ts";
import type { Node } from "../node.ts";
import type { Arguments, Writes } from "./operations.ts";
import { documentRows, nodeOf, type OperationScope, readContext } from "./reads.ts";
import { writableData } from "./write-data.ts";

/** One call of a mutation. */
interface Call {
  readonly scope: OperationScope;
  readonly declaration: TypeDeclaration;
  readonly args: Arguments;
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

export const createWrites = (scope: OperationScope): Writes => {
  const operation =
    (run: (call: Call) => Promise<Node | null>): Writes["create"] =>
    (declaration, args, context, info) =>
      run({ scope, declaration, args, context, info });
  if (scope.format === "flat") {
    return {
      create: operation(createFlat),
      update: operation(updateFlat),
      updateSingle: operation(updateFlatSingle),
      remove: operation(removeFlat),
      removeSingle: operation(removeFlatSingle),
      createLocalization: operation(createLocalization),
    };
  }
  return {
    create: operation(create),
    update: operation(update),
    updateSingle: operation(updateSingle),
    remove: operation(remove),
    removeSingle: operation(removeSingle),
    createLocalization: operation(createLocalization),
  };
};

const textArgument = (value: unknown): string => (typeof value === "string" ? value : "");

const dataOf = ({ scope, declaration, args, context }: Call) =>
  writableData(scope.catalog, declaration.attributes(), args["data"], context.caller);

/** What is written, in which status and locale, and how it is answered. */
const requestOf = (call: Call, status: unknown): documents.OperationRequest => ({
  data: dataOf(call),
  query: shapeOf(call, { status: status ?? undefined, locale: call.args["locale"] ?? undefined }),
});

const shapeOf = ({ scope, declaration, context, info }: Call, query: RawQuery): RawQuery => ({
  ...documentRows(scope, declaration, context, info),
  ...query,
});

const createFlat = async (call: Call): Promise<Node | null> =>
  shownOf(
    call,
    (await documents.create(contextOf(call), call.declaration.type, requestOf(call, call.args["status"])))?.shown,
  );

const updateFlat = async (call: Call): Promise<Node | null> => {
  const request = requestOf(call, call.args["status"]);
  const documentId = textArgument(call.args["documentId"]);
  return shownOf(call, (await documents.update(contextOf(call), call.declaration.type, documentId, request))?.shown);
};

const updateFlatSingle = async (call: Call): Promise<Node | null> =>
  shownOf(
    call,
    (await documents.updateSingle(contextOf(call), call.declaration.type, requestOf(call, call.args["status"])))?.shown,
  );

/** Clients of this format know that the answer names the document whether or not there was one, and the locale counts not. */
const removeFlat = async (call: Call): Promise<Node> => {
  const documentId = textArgument(call.args["documentId"]);
  await documents.remove(contextOf(call), call.declaration.type, documentId, {});
  return { documentId };
};

const removeFlatSingle = async (call: Call): Promise<Node> => {
  const documentId = await singleId(call);
  const removed =
    documentId !== undefined && (await documents.removeSingle(contextOf(call), call.declaration.type, {}));
  if (!removed) throw new NotFoundError("Document not found");
  return { documentId };
};

const contextOf = ({ scope, context }: Call): documents.OperationContext => readContext(scope, context);

/** A document as it was written or seen last; null for callers who may not read it, and when there is none. */
const shownOf = async ({ context }: Call, found: RowSet | null | undefined): Promise<Node | null> =>
  nodeOf(found ? await shown(context, found) : null);

/** The documentId of a single type in any locale and status; undefined before it is created. */
const singleId = async ({ scope, declaration: { type }, context }: Call): Promise<string | undefined> => {
  const asSystem = readContext(scope, { ...context, caller: system });
  const query = {
    fields: ["documentId"],
    status: NEWEST,
    ...(type.localized ? { filters: { locale: { $notNull: true } } } : {}),
  };
  const row = nodeOf(await readSingle(asSystem, type, query));
  return row ? textArgument(row["documentId"]) : undefined;
};

const wishedStatus = ({ args }: Call): Status | undefined => documents.wishedStatus(args["data"]);

const create = async (call: Call): Promise<Node> => {
  const request = requestOf(call, wishedStatus(call));
  return {
    data: await shownOf(call, (await documents.create(contextOf(call), call.declaration.type, request))?.shown),
  };
};

const update = async (call: Call): Promise<Node> => ({
  data: await change(call, textArgument(call.args["id"])),
});

/** A fault of the data stands in the place of the document, beside an answer that is there. */
const updateSingle = async (call: Call): Promise<Node> => {
  try {
    const documentId = await singleId(call);
    if (documentId !== undefined) return { data: await change(call, documentId) };
    const request = requestOf(call, wishedStatus(call));
    return {
      data: await shownOf(call, (await documents.updateSingle(contextOf(call), call.declaration.type, request))?.shown),
    };
  } catch (error) {
    if (error instanceof HttpError) return { data: error };
    throw error;
  }
};

const change = async (call: Call, documentId: string): Promise<Node | null> => {
  const wished = wishedStatus(call);
  const request = requestOf(call, wished);
  const options = { wished, absent: "draft" } as const;
  return shownOf(
    call,
    (await documents.updateInPlace(contextOf(call), call.declaration.type, documentId, request, options))?.shown,
  );
};

const remove = async (call: Call): Promise<Node> =>
  (await removeDocument(call, textArgument(call.args["id"]))) ?? { data: null };

const removeSingle = async (call: Call): Promise<Node> => {
  const documentId = await singleId(call);
  const removed = documentId === undefined ? undefined : await removeDocument(call, documentId);
  if (!removed) throw new NotFoundError("Entity not found");
  return removed;
};

/** Deletes a document in one locale; answers with what the caller could see of it, undefined when there was none. */
const removeDocument = async (call: Call, documentId: string): Promise<{ data: Node | null } | undefined> => {
  const locale = call.args["locale"] ?? undefined;
  const { type } = call.declaration;
  const removed = await documents.removeInPlace(contextOf(call), type, documentId, locale, shapeOf(call, {}));
  return removed && { data: await shownOf(call, removed.seen) };
};

/** Adds a locale. Where there is none yet is told by drafts: it takes the permission to read them. */
const createLocalization = async (call: Call): Promise<Node> => {
  const { declaration, args, context } = call;
  const { type } = declaration;
  const { locale } = args;
  const seesDrafts = !type.draftAndPublish || mayReadDrafts(context.services.config, context.caller, type.uid);
  if (!seesDrafts) throw new ForbiddenError();
  if (typeof locale !== "string" || locale === "") throw new ApplicationError("locale is missing");
  const documentId = type.kind === "singleType" ? await singleId(call) : textArgument(args["id"]);
  if (documentId === undefined || !(await exists(call, documentId, IN_ANY_LOCALE))) {
    throw new NotFoundError("Entity not found");
  }
  if (await exists(call, documentId, { locale })) throw new ApplicationError("locale is already used");
  const request = requestOf(call, wishedStatus(call));
  return { data: await shownOf(call, (await documents.update(contextOf(call), type, documentId, request))?.shown) };
};

const IN_ANY_LOCALE: RawQuery = { filters: { locale: { $notNull: true } } };

/** Whether the document is there, in a locale or in any. */
const exists = async (call: Call, documentId: string, inLocale: RawQuery): Promise<boolean> => {
  const asSystem = readContext(call.scope, { ...call.context, caller: system });
  const query = { fields: ["id"], status: NEWEST, ...inLocale };
  return (await readOne(asSystem, call.declaration.type, documentId, query)) !== null;
};
