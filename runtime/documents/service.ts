/** The document service: how code of the application reads and writes content. */
import { system } from "../access/caller.ts";
import { type RawQuery, readMany, readOne, readSingle } from "../query/index.ts";
import type { ContentType, Uid } from "../schema/content-type.ts";
import type { DataOf, DocumentOf, KnownUid } from "./data.ts";
import type { HookServices } from "./hooks.ts";
import * as operations from "./operations/index.ts";

/** The parameters of the REST interface, as objects: `filters`, `sort`, `fields`, `populate`, `pagination`, ... */
export interface Query {
  readonly locale?: string;
  /** `published` by default, for reads and for writes. */
  readonly status?: "draft" | "published";
  readonly filters?: object;
  readonly sort?: string | readonly string[] | object;
  readonly fields?: readonly string[];
  readonly populate?: string | readonly string[] | object;
  readonly pagination?: object;
}

/** What is written, where to, and what the answer shows. */
export interface WriteQuery<Data> extends Pick<Query, "locale" | "status" | "fields" | "populate"> {
  readonly data: Data;
}

/** What can be done to the documents of one content type. Errors are the HttpErrors that REST would answer with. */
export interface DocumentService<Document, Data extends object> {
  /** A page of documents. */
  find(query?: Query): Promise<Document[]>;
  /** One document; without an id that of a single type. */
  findOne(documentId?: string, query?: Query): Promise<Document | null>;
  create(query: WriteQuery<Data>): Promise<Document>;
  /** Null when there is no such document. */
  update(documentId: string, query: WriteQuery<Data>): Promise<Document | null>;
  /** Deletes the document in `locale`, or in the default one, or in all (`*`); false when there was nothing. */
  delete(documentId: string, query?: Pick<Query, "locale">): Promise<boolean>;
  publish(documentId: string, query?: Pick<Query, "locale" | "fields" | "populate">): Promise<Document | null>;
  unpublish(documentId: string, query?: Pick<Query, "locale" | "fields" | "populate">): Promise<Document | null>;
  discardDraft(documentId: string, query?: Pick<Query, "locale" | "fields" | "populate">): Promise<Document | null>;
}

/** `documents("api::article.article")`: the service of one content type, with the rights of the application itself. */
export interface Documents {
  <Known extends KnownUid>(uid: Known): DocumentService<DocumentOf<Known>, DataOf<DocumentOf<Known>>>;
}

/** The service of a type that is known only when the code runs. */
export type AnyDocuments = (uid: Uid) => DocumentService<unknown, Readonly<Record<string, unknown>>>;

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

type Foundation = Omit<HookServices, "documents">;

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
