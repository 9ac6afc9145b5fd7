/** The stored versions of documents, for types with `options.history`. */
import type { DocumentOf, KnownUid, Status } from "../schema/document.ts";
import type { AnswerQuery, Pagination, ReadDocument } from "../schema/typed/index.ts";
import type { Answer, GonePart, ListAnswer, PageInfo, VersionDifference, VersionInfo } from "./answers.ts";
import type { Part } from "./content.ts";
import { segment } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { FieldsOf, Known, NothingOf, PopulateOf } from "./shown.ts";

/** Which versions to list; by default those of all locales and both statuses. */
export interface VersionsQuery {
  readonly locale?: string;
  readonly status?: Status;
  readonly pagination?: Pagination;
}

/** A document in a version. The type may have had other attributes then. */
interface VersionAnswer<Document> {
  readonly data: Document;
  readonly meta: { readonly version: VersionInfo; readonly gone: readonly GonePart[] };
}

interface RestoredAnswer<Document> {
  readonly data: Document;
  readonly meta: { readonly gone: readonly GonePart[] };
}

/** The owner of versions: a document, or the single type. */
interface Owner {
  readonly documentId?: string;
}

/** One version of the owner. */
type OneOf<Which extends Owner> = Which & { readonly version: number };

/** Versions of a type's documents. `{ documentId }` selects the document; single types need none. */
export interface VersionHistory<Uid extends KnownUid, Which extends Owner> {
  /** The versions of a document, newest first. */
  findVersions(
    which: Which,
    query?: VersionsQuery,
    options?: RequestOptions,
  ): Promise<ListAnswer<VersionInfo, PageInfo>>;
  /** The last versions of deleted documents or locales. */
  findDeleted(query?: VersionsQuery, options?: RequestOptions): Promise<ListAnswer<VersionInfo, PageInfo>>;
  /** A version, shown as the document that it was, and the parts of it that no longer exist. */
  findVersion<const Listed extends FieldsOf<Uid> = "*", const Populated extends PopulateOf<Uid> = NothingOf<Uid>>(
    which: OneOf<Which>,
    query?: AnswerQuery<Listed, Known<Uid, Populated>>,
    options?: RequestOptions,
  ): Promise<VersionAnswer<ReadDocument<DocumentOf<Uid>, Listed, Populated, "draft">>>;
  /** The attributes that differ from the version `to`, or from the current document. */
  compareVersions(
    which: OneOf<Which>,
    query?: { readonly to?: number },
    options?: RequestOptions,
  ): Promise<Answer<readonly VersionDifference[]>>;
  /** Restores a version by writing it again: as the draft, if the type has drafts. `data` overrides values. */
  restoreVersion(
    which: OneOf<Which>,
    query?: { readonly data?: object },
    options?: RequestOptions,
  ): Promise<RestoredAnswer<ReadDocument<DocumentOf<Uid>, "*", NothingOf<Uid>, "draft">>>;
}

const listAt = (path: string, { documentId }: Owner): string =>
  `/${path}${documentId === undefined ? "" : `/${segment(documentId)}`}/versions`;

const oneAt = (path: string, which: OneOf<Owner>): string => `${listAt(path, which)}/${segment(String(which.version))}`;

const keeping =
  <Uid extends KnownUid, Which extends Owner>() =>
  <Api extends object>(path: string, part: Part<Api>): Part<Api & VersionHistory<Uid, Which>> =>
  (http) => ({
    ...part(http),
    findVersions: async (which, query, options) => http.request("GET", listAt(path, which), { query, options }),
    findDeleted: async (query, options) => http.request("GET", `/${path}/versions/deleted`, { query, options }),
    findVersion: async (which, query, options) => http.request("GET", oneAt(path, which), { query, options }),
    compareVersions: async (which, query, options) =>
      http.request("GET", `${oneAt(path, which)}/difference`, { query, options }),
    restoreVersion: async (which, { data } = {}, options) =>
      http.request("POST", `${oneAt(path, which)}/restore`, { body: { data }, options }),
  });

/** The part of a collection type with the versions of its documents. */
export const withVersions = <Uid extends KnownUid>() => keeping<Uid, { readonly documentId: string }>();

/** The part of a single type with the versions of its document. */
export const withSingleVersions = <Uid extends KnownUid>() => keeping<Uid, Readonly<Record<never, never>>>();
