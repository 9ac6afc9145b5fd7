/** The mutations of content types, through the document service. */
import type { GraphQLResolveInfo } from "graphql";
import { systemFor } from "../../access/caller.ts";
import { mayReadDrafts } from "../../access/drafts.ts";
import { ApplicationError, ForbiddenError, HttpError, NotFoundError } from "../../base/errors.ts";
import * as documents from "../../documents/operations/index.ts";
import { shown } from "../../documents/read-hooks.ts";
import { NEWEST, type RawQuery, readOne, type RowSet } from "../../query/index.ts";
import type { GraphqlContext, Node } from "../context.ts";
import type { Arguments, Call, GraphqlFormat, Operation } from "./operations.ts";
import { documentRows, nodeOf, readContext } from "./reads.ts";
import { writableData } from "./write-data.ts";

/** Writes, and answers with the document in the shape of the selection. */
type Write = (call: Call) => Promise<Node | null>;

/** The resolver of a mutation, whose write function may depend on the format. */
export const resolveWrite =
  (write: Write | Readonly<Record<GraphqlFormat, Write>>, operation: Operation) =>
  (_root: unknown, args: Arguments, context: GraphqlContext, info: GraphQLResolveInfo): Promise<Node | null> =>
    (typeof write === "function" ? write : write[operation.scope.format])({ ...operation, args, context, info });

const textArgument = (value: unknown): string => (typeof value === "string" ? value : "");

const isEntity = ({ scope }: Call): boolean => scope.format === "entity";

const idOf = ({ args }: Call): string => textArgument(args["id"] ?? args["documentId"]);

const contextOf = ({ scope, context }: Call): documents.OperationContext => readContext(scope, context);

/** What to write, in which status and locale, and what to answer. In the entity format the data imply the status. */
const requestOf = (call: Call): documents.OperationRequest => {
  const { declaration, args, context } = call;
  const status = isEntity(call) ? documents.wishedStatus(args["data"]) : args["status"];
  return {
    data: writableData(context.services.queries.schema, declaration.uid, args["data"], context.caller),
    query: { ...documentRows(call), status: status ?? undefined, locale: args["locale"] ?? undefined },
    copyFrom: args["copyFrom"] ?? undefined,
  };
};

/**
 * A document as it was last written or seen, in the shape of the format; null in its place if there is none, or if the
 * caller may not read it.
 */
const answerOf = async (call: Call, found: RowSet | null | undefined): Promise<Node | null> => {
  const node = nodeOf(found ? await shown(call.context, found) : null);
  return isEntity(call) ? { data: node } : node;
};

export const create: Write = async (call) =>
  answerOf(call, (await documents.create(contextOf(call), call.declaration.type, requestOf(call)))?.shown);

const updateVersion: Write = async (call) =>
  answerOf(call, (await documents.update(contextOf(call), call.declaration.type, idOf(call), requestOf(call)))?.shown);

const updateInPlace = async (call: Call, documentId: string): Promise<Node | null> => {
  const options = { wished: documents.wishedStatus(call.args["data"]), absent: "draft" } as const;
  const { type } = call.declaration;
  const done = await documents.updateInPlace(contextOf(call), type, documentId, requestOf(call), options);
  return answerOf(call, done?.shown);
};

export const update = {
  flat: updateVersion,
  entity: (call: Call) => updateInPlace(call, idOf(call)),
};

const putSingle: Write = async (call) =>
  answerOf(call, (await documents.updateSingle(contextOf(call), call.declaration.type, requestOf(call)))?.shown);

export const updateSingle = {
  flat: putSingle,
  /** An error makes only `data` null: the response around it stays. */
  entity: async (call: Call): Promise<Node | null> => {
    try {
      const documentId = await singleId(call);
      return documentId === undefined ? await putSingle(call) : await updateInPlace(call, documentId);
    } catch (error) {
      if (error instanceof HttpError) return { data: error };
      throw error;
    }
  },
};

/** The documentId of a single type; undefined before it is created. */
const singleId = ({ declaration: { type }, context }: Call): Promise<string | undefined> =>
  documents.findSingleId(context.services.database, type);

/** Deletes a document in one locale. Answers with what the caller could see of it; undefined if there was none. */
const removeInPlace = async (call: Call, documentId: string): Promise<Node | null | undefined> => {
  const locale = call.args["locale"] ?? undefined;
  const { type } = call.declaration;
  const removed = await documents.removeInPlace(contextOf(call), type, documentId, locale, { ...documentRows(call) });
  return removed && answerOf(call, removed.seen);
};

export const remove = {
  /** In this format the response names the document whether or not it existed, and the locale is ignored. */
  flat: async (call: Call): Promise<Node> => {
    const documentId = idOf(call);
    await documents.remove(contextOf(call), call.declaration.type, documentId, {});
    return { documentId };
  },
  entity: async (call: Call): Promise<Node | null> => (await removeInPlace(call, idOf(call))) ?? { data: null },
};

export const removeSingle = {
  flat: async (call: Call): Promise<Node> => {
    const documentId = await singleId(call);
    const isRemoved =
      documentId !== undefined && (await documents.removeSingle(contextOf(call), call.declaration.type, {}));
    if (!isRemoved) throw new NotFoundError("Document not found");
    return { documentId };
  },
  entity: async (call: Call): Promise<Node> => {
    const documentId = await singleId(call);
    const removed = documentId === undefined ? undefined : await removeInPlace(call, documentId);
    if (!removed) throw new NotFoundError("Entity not found");
    return removed;
  },
};

/** Sets when a document is published and unpublished; omitted times stay. */
export const schedule: Write = async (call) => {
  const { declaration, args } = call;
  const { type } = declaration;
  const { locale, id: _id, documentId: _documentId, ...data } = args;
  const documentId = type.kind === "singleType" ? await singleId(call) : idOf(call);
  const found = await documents.schedule(contextOf(call), type, documentId ?? "", { data, query: { locale } });
  if (!found) throw new NotFoundError("Document not found");
  return { ...found };
};

/** Adds a locale (entity format). Errors reveal which locales have drafts, so this needs permission to read drafts. */
export const createLocalization: Write = async (call) => {
  const { declaration, args, context } = call;
  const { type } = declaration;
  const { locale } = args;
  const seesDrafts = !type.draftAndPublish || mayReadDrafts(context.services.config, context.caller, type.uid);
  if (!seesDrafts) throw new ForbiddenError();
  if (typeof locale !== "string" || locale === "") throw new ApplicationError("locale is missing");
  const documentId = type.kind === "singleType" ? await singleId(call) : idOf(call);
  if (documentId === undefined || !(await exists(call, documentId, IN_ANY_LOCALE))) {
    throw new NotFoundError("Entity not found");
  }
  if (await exists(call, documentId, { locale })) throw new ApplicationError("locale is already used");
  return answerOf(call, (await documents.update(contextOf(call), type, documentId, requestOf(call)))?.shown);
};

const IN_ANY_LOCALE: RawQuery = { filters: { locale: { $notNull: true } } };

/** Whether the document exists, in one locale or in any. */
const exists = async (call: Call, documentId: string, inLocale: RawQuery): Promise<boolean> => {
  const asSystem = readContext(call.scope, { ...call.context, caller: systemFor(call.context.caller) });
  const query = { fields: ["id"], status: NEWEST, ...inLocale };
  return (await readOne(asSystem, call.declaration.type, documentId, query)) !== null;
};
