/** The document service: how code of the application reads and writes content. */
import type { DocumentOf, InputOf, KnownUid, Uid as AnyUid } from "../schema/document.ts";
import type {
  AnswerQuery,
  CreateData,
  Fields,
  FilteredQuery,
  FindOneQuery,
  FindQuery,
  KnownPopulate,
  ManyQuery,
  MatchQuery,
  Populate,
  ReadDocument,
  Status,
  Unpopulated,
  UpdateData,
  WriteQuery,
} from "../schema/typed/index.ts";

/**
 * What can be done to the documents of one content type. Errors are the HttpErrors that REST would answer with. The type
 * of what comes back follows `status`, `fields` and `populate`; names that do not exist do not compile. Types are looked up
 * by the uid where they are needed: that of a body is worked out from a validator, which takes longer than all the others.
 */
export interface DocumentService<Uid extends KnownUid> {
  /** A page of documents. */
  find<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    Asked extends Status = "published",
  >(
    query?: FindQuery<DocumentOf<Uid>, Listed, KnownPopulate<Populated, DocumentOf<Uid>>, Asked>,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, Asked>[]>;
  /** The first document in the order of `sort`, or null when none matches. */
  findFirst<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    Asked extends Status = "published",
  >(
    query?: Omit<FindQuery<DocumentOf<Uid>, Listed, KnownPopulate<Populated, DocumentOf<Uid>>, Asked>, "pagination">,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, Asked> | null>;
  /** How many documents match, whatever the size of a page. */
  count(query?: MatchQuery<DocumentOf<Uid>>): Promise<number>;
  /** Whether any document matches. */
  exists(query?: MatchQuery<DocumentOf<Uid>>): Promise<boolean>;
  /** One document; without an id that of a single type. */
  findOne<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    Asked extends Status = "published",
  >(
    documentId?: string,
    query?: FindOneQuery<DocumentOf<Uid>, Listed, KnownPopulate<Populated, DocumentOf<Uid>>, Asked>,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, Asked> | null>;
  create<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    Asked extends Status = "published",
  >(
    query: WriteQuery<
      CreateData<DocumentOf<Uid>, InputOf<Uid>, Asked>,
      Listed,
      KnownPopulate<Populated, DocumentOf<Uid>>,
      Asked
    >,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, Asked>>;
  /** Null when there is no such document. */
  update<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    Asked extends Status = "published",
  >(
    documentId: string,
    query: WriteQuery<
      UpdateData<DocumentOf<Uid>, InputOf<Uid>, Asked>,
      Listed,
      KnownPopulate<Populated, DocumentOf<Uid>>,
      Asked
    >,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, Asked> | null>;
  /**
   * Creates documents in one transaction, in the order of `data`, and answers their ids. What is wrong with one of them
   * names its place in the list, and none of them is created.
   */
  createMany<Asked extends Status = "published">(
    query: ManyQuery<readonly CreateData<DocumentOf<Uid>, InputOf<Uid>, Asked>[], Asked>,
  ): Promise<readonly string[]>;
  /**
   * Changes in one transaction what `find` finds with the same `filters`, `status` and `locale`, and answers the ids. With
   * `filters: {}` that is everything.
   */
  updateMany<Asked extends Status = "published">(
    query: ManyQuery<UpdateData<DocumentOf<Uid>, InputOf<Uid>, Asked>, Asked> & FilteredQuery<DocumentOf<Uid>>,
  ): Promise<readonly string[]>;
  /**
   * Deletes in one transaction what `find` finds with the same query, drafts and all, and answers the ids: in `locale`, in
   * the default one, or in all (`*`).
   */
  deleteMany(
    query: Pick<MatchQuery<DocumentOf<Uid>>, "locale" | "status"> & FilteredQuery<DocumentOf<Uid>>,
  ): Promise<readonly string[]>;
  /** Deletes the document in `locale`, or in the default one, or in all (`*`); false when there was nothing. */
  delete(documentId: string, query?: { readonly locale?: string }): Promise<boolean>;
  /** The published version, or null when there is no such document. */
  publish<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
  >(
    documentId: string,
    query?: AnswerQuery<Listed, KnownPopulate<Populated, DocumentOf<Uid>>>,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, "published"> | null>;
  /** The draft that is left, or null when there is no such document. */
  unpublish<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
  >(
    documentId: string,
    query?: AnswerQuery<Listed, KnownPopulate<Populated, DocumentOf<Uid>>>,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, "draft"> | null>;
  /** The draft as it is after that, or null when there is no such document. */
  discardDraft<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
  >(
    documentId: string,
    query?: AnswerQuery<Listed, KnownPopulate<Populated, DocumentOf<Uid>>>,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, "draft"> | null>;
}

/** `documents("api::article.article")`: the service of one content type, with the rights of the application itself. */
export interface Documents {
  <Uid extends KnownUid>(uid: Uid): DocumentService<Uid>;
}

/** A document by the names of what is shown of it, where its type is known only when the code runs. */
export type AnyDocument = Readonly<Record<string, unknown>>;

/** Parameters whose names are known only when the code runs. */
export interface AnyQuery extends Omit<FindQuery<unknown>, "filters" | "sort" | "fields" | "populate"> {
  readonly filters?: object;
  readonly sort?: string | readonly string[] | object;
  readonly fields?: readonly string[];
  readonly populate?: string | readonly string[] | object;
}

/** {@link MatchQuery} of a type that is known only when the code runs. */
export type AnyMatchQuery = Pick<AnyQuery, "locale" | "status" | "filters" | "publicationFilter" | "_q">;

/** What is written by {@link AnyDocumentService}. */
export interface AnyWriteQuery extends Pick<AnyQuery, "locale" | "status" | "fields" | "populate"> {
  readonly data: AnyDocument;
}

/** What is written to many documents. */
export interface AnyManyQuery<Data> extends Pick<AnyQuery, "locale" | "status"> {
  readonly data: Data;
}

/** {@link AnyMatchQuery} of a write, which says by its filters which documents it is about. */
export interface AnyFilteredQuery extends AnyMatchQuery {
  readonly filters: object;
}

/** {@link DocumentService} of a type that is known only when the code runs. */
export interface AnyDocumentService {
  find(query?: AnyQuery): Promise<AnyDocument[]>;
  findFirst(query?: Omit<AnyQuery, "pagination">): Promise<AnyDocument | null>;
  count(query?: AnyMatchQuery): Promise<number>;
  exists(query?: AnyMatchQuery): Promise<boolean>;
  findOne(documentId?: string, query?: AnyQuery): Promise<AnyDocument | null>;
  create(query: AnyWriteQuery): Promise<AnyDocument>;
  update(documentId: string, query: AnyWriteQuery): Promise<AnyDocument | null>;
  createMany(query: AnyManyQuery<readonly AnyDocument[]>): Promise<readonly string[]>;
  updateMany(query: AnyManyQuery<AnyDocument> & AnyFilteredQuery): Promise<readonly string[]>;
  deleteMany(query: AnyFilteredQuery): Promise<readonly string[]>;
  delete(documentId: string, query?: Pick<AnyQuery, "locale">): Promise<boolean>;
  publish(documentId: string, query?: AnyQuery): Promise<AnyDocument | null>;
  unpublish(documentId: string, query?: AnyQuery): Promise<AnyDocument | null>;
  discardDraft(documentId: string, query?: AnyQuery): Promise<AnyDocument | null>;
}

/** The service of a type that is known only when the code runs. */
export type AnyDocuments = (uid: AnyUid) => AnyDocumentService;
