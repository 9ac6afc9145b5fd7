/** The document service: how code of the application reads and writes content. */
import { type Caller, system } from "../auth/caller.ts";
import type { ContentType, Uid } from "../content-type.ts";
import { type RawQuery, readMany, readOne, readSingle } from "../query/index.ts";
import type { DataOf, DocumentOf, KnownUid } from "./data.ts";
import type { HookServices } from "./hooks.ts";
import * as operations from "./operations.ts";

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

export interface WriteQuery<Data> extends Pick<Query, "locale" | "status" | "fields" | "populate"> {
  readonly data: Data;
}

/** What can be done to the documents of one content type. Errors are the HttpErrors that REST would answer with. */
export interface DocumentService<Document, Data> {
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

interface Generic {
  (uid: Uid): DocumentService<unknown, Readonly<Record<string, unknown>>>;
}

const rawOf = (query: object = {}): RawQuery => ({ ...query });

const parse = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
const split = ({ data, ...query }: WriteQuery<Readonly<Record<string, unknown>>>) => ({ data, query: rawOf(query) });

const serviceOf = (
  context: operations.OperationContext,
  type: ContentType,
): DocumentService<unknown, Readonly<Record<string, unknown>>> => {
  return {
    async find(query) {
      const { json } = await readMany(context, type, rawOf(query));
      const found: unknown = JSON.parse(json);
      return Array.isArray(found) ? found : [];
    },
    async findOne(documentId, query) {
      const read =
        documentId === undefined
          ? readSingle(context, type, rawOf(query))
          : readOne(context, type, documentId, rawOf(query));
      return parse(await read);
    },
    create: async (query) => parse(await operations.create(context, type, split(query))),
    update: async (documentId, query) => parse(await operations.update(context, type, documentId, split(query))),
    delete: (documentId, query) => operations.remove(context, type, documentId, rawOf(query)),
    publish: async (documentId, query) => parse(await operations.publish(context, type, documentId, rawOf(query))),
    unpublish: async (documentId, query) => parse(await operations.unpublish(context, type, documentId, rawOf(query))),
    discardDraft: async (documentId, query) =>
      parse(await operations.discardDraft(context, type, documentId, rawOf(query))),
  };
};

type Foundation = Omit<HookServices, "documents">;

/** The document service of an application, for uids that are known only when it runs. */
export const genericDocuments = (services: Foundation, caller: Caller = system): Generic => {
  const context: operations.OperationContext = {
    services: { ...services, documents: createDocuments(services) },
    caller,
    code: true,
  };
  return (uid) => serviceOf(context, services.registry.contentType(uid));
};

/** The document service, typed by the generated content types. */
export const createDocuments = (services: Foundation): Documents => {
  let generic: Generic | undefined;
  return ((uid: Uid) => (generic ??= genericDocuments(services))(uid)) as Documents;
};
