/** The document service, through which application code reads and writes content. */
import type { InfoOf, ListAnswer, PageSize } from "../client/index.ts";
import type { DocumentOf, InputOf, KnownUid, Uid as AnyUid } from "../schema/document.ts";
import type {
  AnswerQuery,
  CreateData,
  Exact,
  Fields,
  FilteredQuery,
  FindOneQuery,
  FindQuery,
  KnownPopulate,
  ManyQuery,
  MatchQuery,
  NumberName,
  Pagination,
  Populate,
  ReadDocument,
  Status,
  Unpopulated,
  UpdateData,
  WriteQuery,
} from "../schema/typed/index.ts";

/**
 * The operations on documents of one content type. Errors are the same HttpErrors as in REST. The type of the result
 * depends on `status`, `fields` and `populate`; names that do not exist do not compile. Types are looked up by uid only
 * where they are used, because inferring the type of a body from its validator takes the compiler longer than all
 * others.
 */
export interface DocumentService<Uid extends KnownUid> {
  /** A page of documents. */
  find<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    InStatus extends Status = "published",
  >(
    query?: FindQuery<DocumentOf<Uid>, Listed, KnownPopulate<Populated, DocumentOf<Uid>>, InStatus>,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, InStatus>[]>;
  /** The same with what the REST interface says about the page: the total, or with `after` the next cursor. */
  findPage<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    InStatus extends Status = "published",
    const Paged extends Pagination = {},
  >(
    query?: FindQuery<
      DocumentOf<Uid>,
      Listed,
      KnownPopulate<Populated, DocumentOf<Uid>>,
      InStatus,
      "application",
      Paged & Exact<Paged, Pagination>
    >,
  ): Promise<ListAnswer<ReadDocument<DocumentOf<Uid>, Listed, Populated, InStatus>, InfoOf<Paged>>>;
  /**
   * All matching documents, one after the other. Pages are read as needed, with cursors, so that writes meanwhile neither
   * repeat documents nor leave any out.
   */
  all<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    InStatus extends Status = "published",
  >(
    query?: FindQuery<
      DocumentOf<Uid>,
      Listed,
      KnownPopulate<Populated, DocumentOf<Uid>>,
      InStatus,
      "application",
      PageSize
    >,
  ): AsyncIterable<ReadDocument<DocumentOf<Uid>, Listed, Populated, InStatus>>;
  /** The first document in the order of `sort`, or null if none matches. */
  findFirst<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    InStatus extends Status = "published",
  >(
    query?: Omit<FindQuery<DocumentOf<Uid>, Listed, KnownPopulate<Populated, DocumentOf<Uid>>, InStatus>, "pagination">,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, InStatus> | null>;
  /** The number of matching documents, regardless of pagination. */
  count(query?: MatchQuery<DocumentOf<Uid>>): Promise<number>;
  /** Whether any document matches. */
  exists(query?: MatchQuery<DocumentOf<Uid>>): Promise<boolean>;
  /** One document; for a single type, without an id. */
  findOne<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    InStatus extends Status = "published",
  >(
    documentId?: string,
    query?: FindOneQuery<DocumentOf<Uid>, Listed, KnownPopulate<Populated, DocumentOf<Uid>>, InStatus>,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, InStatus> | null>;
  create<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    InStatus extends Status = "published",
  >(
    query: WriteQuery<
      CreateData<DocumentOf<Uid>, InputOf<Uid>, InStatus>,
      Listed,
      KnownPopulate<Populated, DocumentOf<Uid>>,
      InStatus
    >,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, InStatus>>;
  /** Returns null if there is no such document. */
  update<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    InStatus extends Status = "published",
  >(
    documentId: string,
    query: WriteQuery<
      UpdateData<DocumentOf<Uid>, InputOf<Uid>, InStatus>,
      Listed,
      KnownPopulate<Populated, DocumentOf<Uid>>,
      InStatus
    >,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, InStatus> | null>;
  /**
   * Copies a document in `locale`, by default in the default locale, or in all (`*`): its draft, or its only version.
   * `data` replaces values. Passwords, and relations that only one document can have, are not copied. Returns null if
   * there is no such document.
   */
  clone(
    documentId: string,
    query?: { readonly locale?: string; readonly data?: UpdateData<DocumentOf<Uid>, InputOf<Uid>, "draft"> },
  ): Promise<Cloned<ReadDocument<DocumentOf<Uid>, "*", Unpopulated<DocumentOf<Uid>>, "draft">> | null>;
  /**
   * Creates documents in one transaction, in the order of `data`, and returns their ids. If one of them is invalid, the
   * error names its index, and none is created.
   */
  createMany<InStatus extends Status = "published">(
    query: ManyQuery<readonly CreateData<DocumentOf<Uid>, InputOf<Uid>, InStatus>[], InStatus>,
  ): Promise<readonly string[]>;
  /**
   * Changes, in one transaction, the documents that `find` finds with the same `filters`, `status` and `locale`, and
   * returns their ids. `filters: {}` means all documents.
   */
  updateMany<InStatus extends Status = "published">(
    query: ManyQuery<UpdateData<DocumentOf<Uid>, InputOf<Uid>, InStatus>, InStatus> & FilteredQuery<DocumentOf<Uid>>,
  ): Promise<readonly string[]>;
  /**
   * Deletes, in one transaction, the documents that `find` finds with the same query, with their drafts, and returns
   * their ids. Deletes them in `locale`, by default in the default locale, or in all (`*`).
   */
  deleteMany(
    query: Pick<MatchQuery<DocumentOf<Uid>>, "locale" | "status"> & FilteredQuery<DocumentOf<Uid>>,
  ): Promise<readonly string[]>;
  /**
   * Adds to numbers in `locale`, in the draft and in the published version. It is atomic: additions at the same time all
   * count. Returns the sums in the published version, or in the draft if there is none; null if there is no such
   * document.
   */
  increment<const Name extends NumberName<DocumentOf<Uid>>>(
    documentId: string,
    amounts: Readonly<Record<Name, number>>,
    query?: { readonly locale?: string },
  ): Promise<Readonly<Record<Name, number>> | null>;
  /** {@link increment} with amounts that are taken away. */
  decrement<const Name extends NumberName<DocumentOf<Uid>>>(
    documentId: string,
    amounts: Readonly<Record<Name, number>>,
    query?: { readonly locale?: string },
  ): Promise<Readonly<Record<Name, number>> | null>;
  /**
   * Deletes the document in `locale`, by default in the default locale, or in all (`*`). Returns false if there was
   * nothing to delete.
   */
  delete(documentId: string, query?: { readonly locale?: string }): Promise<boolean>;
  /** Returns the published version, or null if there is no such document. */
  publish<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
  >(
    documentId: string,
    query?: AnswerQuery<Listed, KnownPopulate<Populated, DocumentOf<Uid>>>,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, "published"> | null>;
  /** Returns the draft, or null if there is no such document. */
  unpublish<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
  >(
    documentId: string,
    query?: AnswerQuery<Listed, KnownPopulate<Populated, DocumentOf<Uid>>>,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, "draft"> | null>;
  /** Returns the new draft, or null if there is no such document. */
  discardDraft<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
  >(
    documentId: string,
    query?: AnswerQuery<Listed, KnownPopulate<Populated, DocumentOf<Uid>>>,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, "draft"> | null>;
}

/** A copy of a document: a version for each locale. */
export interface Cloned<Version> {
  readonly documentId: string;
  readonly entries: readonly Version[];
}

/** `documents("api::article.article")`: the service of one content type, with the rights of the application itself. */
export interface Documents {
  <Uid extends KnownUid>(uid: Uid): DocumentService<Uid>;
}

/** A document whose type is known only at run time. */
export type AnyDocument = Readonly<Record<string, unknown>>;

/** Query parameters for a type that is known only at run time. */
export interface AnyQuery extends Omit<FindQuery<unknown>, "filters" | "sort" | "fields" | "populate"> {
  readonly filters?: object;
  readonly sort?: string | readonly string[] | object;
  readonly fields?: readonly string[];
  readonly populate?: string | readonly string[] | object;
}

/** A page of documents. */
export interface AnyPage {
  readonly data: readonly AnyDocument[];
  readonly meta: { readonly pagination: object };
}

/** Query parameters for reading a whole list. */
export interface AnyAllQuery extends Omit<AnyQuery, "pagination"> {
  readonly pagination?: PageSize;
}

/** {@link MatchQuery} for a type that is known only at run time. */
export type AnyMatchQuery = Pick<AnyQuery, "locale" | "status" | "filters" | "publicationFilter" | "_q">;

/** The parameters of writes by {@link AnyDocumentService}. */
export interface AnyWriteQuery extends Pick<AnyQuery, "locale" | "status" | "fields" | "populate"> {
  readonly data: AnyDocument;
}

/** The parameters of writes to many documents. */
export interface AnyManyQuery<Data> extends Pick<AnyQuery, "locale" | "status"> {
  readonly data: Data;
}

/** {@link AnyMatchQuery} for writes, whose filters determine the documents. */
export interface AnyFilteredQuery extends AnyMatchQuery {
  readonly filters: object;
}

/** {@link DocumentService} for a type that is known only at run time. */
export interface AnyDocumentService {
  find(query?: AnyQuery): Promise<AnyDocument[]>;
  findPage(query?: AnyQuery): Promise<AnyPage>;
  all(query?: AnyAllQuery): AsyncIterable<AnyDocument>;
  findFirst(query?: Omit<AnyQuery, "pagination">): Promise<AnyDocument | null>;
  count(query?: AnyMatchQuery): Promise<number>;
  exists(query?: AnyMatchQuery): Promise<boolean>;
  findOne(documentId?: string, query?: AnyQuery): Promise<AnyDocument | null>;
  create(query: AnyWriteQuery): Promise<AnyDocument>;
  update(documentId: string, query: AnyWriteQuery): Promise<AnyDocument | null>;
  clone(documentId: string, query?: Partial<AnyWriteQuery>): Promise<Cloned<AnyDocument> | null>;
  createMany(query: AnyManyQuery<readonly AnyDocument[]>): Promise<readonly string[]>;
  updateMany(query: AnyManyQuery<AnyDocument> & AnyFilteredQuery): Promise<readonly string[]>;
  deleteMany(query: AnyFilteredQuery): Promise<readonly string[]>;
  increment(documentId: string, amounts: object, query?: Pick<AnyQuery, "locale">): Promise<AnyDocument | null>;
  decrement(documentId: string, amounts: object, query?: Pick<AnyQuery, "locale">): Promise<AnyDocument | null>;
  delete(documentId: string, query?: Pick<AnyQuery, "locale">): Promise<boolean>;
  publish(documentId: string, query?: AnyQuery): Promise<AnyDocument | null>;
  unpublish(documentId: string, query?: AnyQuery): Promise<AnyDocument | null>;
  discardDraft(documentId: string, query?: AnyQuery): Promise<AnyDocument | null>;
}

/** Returns the service of a type that is known only at run time. */
export type AnyDocuments = (uid: AnyUid) => AnyDocumentService;
