/** The mutations of content types, through the document service. */
import { systemFor, type Caller } from "../../access/caller.ts";
import { mayReadDrafts } from "../../access/drafts.ts";
import { ApplicationError, ForbiddenError, HttpError, NotFoundError } from "../../base/errors.ts";
import * as documents from "../../documents/operations/index.ts";
import { NEWEST, type RawQuery, readOne, type Member, type Schema } from "../../query/index.ts";
import type { ComponentUid, Uid } from "../../schema/content-type.ts";
import type { Node } from "../context.ts";
import type { Call } from "./operations.ts";
import { answerOf, documentRows, readContext, subjectOf } from "./reads.ts";

type Data = Readonly<Record<string, unknown>>;

/** Members that the server sets itself. Clients may send them; they are ignored. */
const SYSTEM = new Set(["createdAt", "updatedAt"]);

const isData = (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value);

/** Drops what the server sets, and relations to targets that the caller may not find: those stay unchanged. */
const writableData = (schema: Schema, uid: Uid | ComponentUid, input: unknown, caller: Caller): Data => {
  const { members, type } = schema.owner(uid);
  return Object.fromEntries(
    Object.entries(isData(input) ? input : {}).flatMap(([name, value]) => {
      const member = members.get(name);
      if (SYSTEM.has(name) && (type || !member)) return [];
      const isFound = member?.kind !== "relation" || member.media || member.target === undefined;
      if (!isFound && !caller.can(`${member.target}.find`)) return [];
      const entry = (each: unknown): unknown => {
        const component = isData(each) ? componentOf(member, each) : undefined;
        return component === undefined ? each : writableData(schema, component, each, caller);
      };
      return [[name, Array.isArray(value) ? value.map(entry) : entry(value)]];
    }),
  );
};

/** The component of an entry of a component or zone; undefined for the values of other members. */
const componentOf = (member: Member | undefined, { __component: given }: Data): ComponentUid | undefined => {
  if (member?.kind === "component") return member.component;
  return member?.kind === "zone" ? member.components.find((each) => each === given) : undefined;
};

/** Writes, and answers with the document in the shape of the selection. */
type Write = (call: Call) => Promise<Node | null>;

const textArgument = (value: unknown): string => (typeof value === "string" ? value : "");

const isEntity = ({ scope }: Call): boolean => scope.format === "entity";

const idOf = ({ args }: Call): string => textArgument(args["id"] ?? args["documentId"]);

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

export const create: Write = async (call) =>
  answerOf(call, (await documents.create(...subjectOf(call), requestOf(call)))?.shown);

const updateVersion: Write = async (call) =>
  answerOf(call, (await documents.update(...subjectOf(call), idOf(call), requestOf(call)))?.shown);

const updateInPlace = async (call: Call, documentId: string): Promise<Node | null> => {
  const options = { wished: documents.wishedStatus(call.args["data"]), absent: "draft" } as const;
  const done = await documents.updateInPlace(...subjectOf(call), documentId, requestOf(call), options);
  return answerOf(call, done?.shown);
};

export const update = {
  flat: updateVersion,
  entity: (call: Call) => updateInPlace(call, idOf(call)),
};

const putSingle: Write = async (call) =>
  answerOf(call, (await documents.updateSingle(...subjectOf(call), requestOf(call)))?.shown);

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
  const removed = await documents.removeInPlace(...subjectOf(call), documentId, locale, { ...documentRows(call) });
  return removed && answerOf(call, removed.seen);
};

export const remove = {
  /** In this format the response names the document whether or not it existed, and the locale is ignored. */
  flat: async (call: Call): Promise<Node> => {
    const documentId = idOf(call);
    await documents.remove(...subjectOf(call), documentId, {});
    return { documentId };
  },
  entity: async (call: Call): Promise<Node | null> => (await removeInPlace(call, idOf(call))) ?? { data: null },
};

export const removeSingle = {
  flat: async (call: Call): Promise<Node> => {
    const documentId = await singleId(call);
    const isRemoved = documentId !== undefined && (await documents.removeSingle(...subjectOf(call), {}));
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
  const found = await documents.schedule(...subjectOf(call), documentId ?? "", { data, query: { locale } });
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
  return answerOf(call, (await documents.update(...subjectOf(call), documentId, requestOf(call)))?.shown);
};

const IN_ANY_LOCALE: RawQuery = { filters: { locale: { $notNull: true } } };

/** Whether the document exists, in one locale or in any. */
const exists = async (call: Call, documentId: string, inLocale: RawQuery): Promise<boolean> => {
  const asSystem = readContext(call.scope, { ...call.context, caller: systemFor(call.context.caller) });
  const query = { fields: ["id"], status: NEWEST, ...inLocale };
  return (await readOne(asSystem, call.declaration.type, documentId, query)) !== null;
};
