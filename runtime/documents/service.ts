/** The document service: how code of the application reads and writes content. */
import type { Uid } from "../schema/content-type.ts";
import type { DataOf, DocumentOf, KnownUid } from "./data.ts";

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
