/** The document service, which application code uses to read and write content. */
import type {
  GonePart,
  InfoOf,
  ListAnswer,
  PageInfo,
  PageSize,
  Schedule,
  ScheduleData,
  VersionDifference,
  VersionInfo,
  VersionsQuery,
} from "../client/index.ts";
import type { DocumentOf, InputOf, KnownUid } from "../schema/document.ts";
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
  UpdateQuery,
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
  /** The same, with the pagination that REST would report: the total or, with `after`, the next cursor. */
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
   * All matching documents, one after the other. Reads pages on demand, with cursors, so that concurrent writes neither
   * repeat nor skip documents.
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
  /**
   * Changes a document in `locale`, or adds that locale, with the values of the locale `copyFrom` where `data` gives none.
   * Returns null if there is no such document.
   */
  update<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
    InStatus extends Status = "published",
  >(
    documentId: string,
    query: UpdateQuery<
      UpdateData<DocumentOf<Uid>, InputOf<Uid>, InStatus>,
      Listed,
      KnownPopulate<Populated, DocumentOf<Uid>>,
      InStatus
    >,
  ): Promise<ReadDocument<DocumentOf<Uid>, Listed, Populated, InStatus> | null>;
  /**
   * Copies a document (its draft, or its only version) in `locale`, by default in the default locale, or in all (`*`).
   * `data` overrides values. Does not copy passwords, or relations that only one document can have. Returns null if
   * there is no such document.
   */
  clone(
    documentId: string,
    query?: { readonly locale?: string; readonly data?: UpdateData<DocumentOf<Uid>, InputOf<Uid>, "draft"> },
  ): Promise<InEveryLocale<ReadDocument<DocumentOf<Uid>, "*", Unpopulated<DocumentOf<Uid>>, "draft">> | null>;
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
   * Adds to numbers in `locale`, in the draft and in the published version. It is atomic: concurrent additions all
   * count. Returns the sums in the published version, or in the draft if there is none; null if there is no such
   * document.
   */
  increment<const Name extends NumberName<DocumentOf<Uid>>>(
    documentId: string,
    amounts: Readonly<Record<Name, number>>,
    query?: { readonly locale?: string },
  ): Promise<Readonly<Record<Name, number>> | null>;
  /** {@link increment} with amounts to subtract. */
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
  readonly publish: Publication<Uid, "published">;
  /** Returns the draft, or null if there is no such document. */
  readonly unpublish: Publication<Uid, "draft">;
  /**
   * Sets when the document is published and unpublished in `locale`, for types with `options.schedule`. Returns null if
   * there is no such document.
   */
  schedule(documentId: string, query: ScheduleData & { readonly locale?: string }): Promise<Schedule | null>;
  /** The kept versions of a document, newest first, for types with `options.history`. */
  findVersions(documentId: string, query?: VersionsQuery): Promise<ListAnswer<VersionInfo, PageInfo>>;
  /** The last versions of deleted documents, or of deleted locales. */
  findDeleted(query?: VersionsQuery): Promise<ListAnswer<VersionInfo, PageInfo>>;
  /** A version in the form of a document, and what is gone from it; null if there is no such version. */
  findVersion<
    const Listed extends Fields<DocumentOf<Uid>> = "*",
    const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
  >(
    documentId: string,
    version: number,
    query?: AnswerQuery<Listed, KnownPopulate<Populated, DocumentOf<Uid>>>,
  ): Promise<{
    readonly document: ReadDocument<DocumentOf<Uid>, Listed, Populated, "draft">;
    readonly version: VersionInfo;
    readonly gone: readonly GonePart[];
  } | null>;
  /** The attributes that differ from the version `to`, or from the stored version. */
  compareVersions(
    documentId: string,
    version: number,
    query?: { readonly to?: number },
  ): Promise<readonly VersionDifference[] | null>;
  /** Restores a version, as the draft if the type has drafts, and returns it. `data` overrides values. */
  restoreVersion(
    documentId: string,
    version: number,
    query?: { readonly data?: UpdateData<DocumentOf<Uid>, InputOf<Uid>, "draft"> },
  ): Promise<ReadDocument<DocumentOf<Uid>, "*", Unpopulated<DocumentOf<Uid>>, "draft"> | null>;
  /** Returns the new draft, or null if there is no such document. */
  readonly discardDraft: Publication<Uid, "draft">;
}

/** Changes which versions are published: in `locale`, by default in the default locale, or in all (`*`). */
type Publication<Uid extends KnownUid, InStatus extends Status> = <
  const Listed extends Fields<DocumentOf<Uid>> = "*",
  const Populated extends Populate<DocumentOf<Uid>> = Unpopulated<DocumentOf<Uid>>,
  const Locale extends string = string,
>(
  documentId: string,
  query?: AnswerQuery<Listed, KnownPopulate<Populated, DocumentOf<Uid>>> & { readonly locale?: Locale },
) => Promise<InLocale<Locale, ReadDocument<DocumentOf<Uid>, Listed, Populated, InStatus>> | null>;

type InLocale<Locale extends string, Version> = Locale extends "*" ? InEveryLocale<Version> : Version;

/** A document with a version for each locale. */
export interface InEveryLocale<Version> {
  readonly documentId: string;
  readonly entries: readonly Version[];
}

/** `documents("api::article.article")`: the service of one content type, with the rights of the application itself. */
export interface Documents {
  <Uid extends KnownUid>(uid: Uid): DocumentService<Uid>;
}
