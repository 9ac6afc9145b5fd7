/** Makes the document service: calls become operations, and their answers documents. */
import { system } from "../access/caller.ts";
import { type RawQuery, readMany, readOne, readSingle } from "../query/index.ts";
import type { ContentType } from "../schema/content-type.ts";
import * as operations from "./operations/index.ts";
import type { AnyDocuments, Documents, DocumentService, WriteQuery } from "./service.ts";

const rawOf = (query: object = {}): RawQuery => ({ ...query });

/** What JSON text holds is what the type's interface says: both are made from the same schema. */
const parse = <Document>(json: string): Document => JSON.parse(json);

const parseFound = <Document>(json: string | null): Document | null => (json === null ? null : parse(json));

const requestOf = <Data extends object>({ data, ...query }: WriteQuery<Data>): operations.OperationRequest => ({
  data: Object.fromEntries(Object.entries(data)),
  query: rawOf(query),
});

const serviceOf = <Document, Data extends object>(
  context: operations.OperationContext,
  type: ContentType,
): DocumentService<Document, Data> => ({
  find: async (query) => parse((await readMany(context, type, rawOf(query))).json),
  async findOne(documentId, query) {
    const raw = rawOf(query);
    const single = documentId === undefined;
    return parseFound(await (single ? readSingle(context, type, raw) : readOne(context, type, documentId, raw)));
  },
  async create(query) {
    const created = await operations.create(context, type, requestOf(query));
    if (created === null) throw new Error(`The new document of ${type.uid} cannot be read`);
    return parse(created);
  },
  update: async (documentId, query) => parseFound(await operations.update(context, type, documentId, requestOf(query))),
  delete: (documentId, query) => operations.remove(context, type, documentId, rawOf(query)),
  publish: async (documentId, query) => parseFound(await operations.publish(context, type, documentId, rawOf(query))),
  unpublish: async (documentId, query) =>
    parseFound(await operations.unpublish(context, type, documentId, rawOf(query))),
  discardDraft: async (documentId, query) =>
    parseFound(await operations.discardDraft(context, type, documentId, rawOf(query))),
});

type Foundation = Omit<operations.OperationServices, "documents">;

const contextOf = (services: Foundation): operations.OperationContext => ({
  services: { ...services, documents: createDocuments(services) },
  caller: system,
  code: true,
});

/** The document service, for uids that are known only when the code runs. */
export const anyDocuments =
  (services: Foundation): AnyDocuments =>
  (uid) =>
    serviceOf(contextOf(services), services.registry.contentType(uid));

/** The document service, typed by the generated content types. */
export const createDocuments =
  (services: Foundation): Documents =>
  (uid) =>
    serviceOf(contextOf(services), services.registry.contentType(uid));
