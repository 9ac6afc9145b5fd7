/** The envelopes of responses. */

/** The state of each translation, by locale. `outdated` means that the default locale was changed later. */
export type Locales = Readonly<Record<string, "missing" | "draft" | "published" | "outdated">>;

/** A response that holds one document. */
export interface Answer<Data> {
  readonly data: Data;
  readonly meta: Readonly<Record<string, unknown>> & {
    /** In answers to queries with `localization: true`. */
    readonly localization?: { readonly locales: Locales };
  };
}

/** What a full-text search tells of its list. */
export interface SearchMeta {
  /** For each document, the text around the words found as HTML, with these words in `<mark>` and all else escaped. */
  readonly snippets?: readonly string[];
  /** How many documents of the whole list have a value, the most frequent values first; relations by documentId. */
  readonly facets?: Readonly<Record<string, readonly { readonly value: string; readonly count: number }[]>>;
}

/** A response with a part of a list. */
export interface ListAnswer<Item, Part = PageInfo> {
  readonly data: Item[];
  readonly meta: {
    readonly pagination: Part;
    /** By documentId, in responses to queries with `localization: true`. */
    readonly localization?: Readonly<Record<string, { readonly locales: Locales }>>;
    /** In responses to queries with `snippets` or `facets`. */
    readonly search?: SearchMeta;
  };
}

/** When a document is published and unpublished, in one locale. */
export interface Schedule {
  readonly documentId: string;
  /** Null for a type without locales. */
  readonly locale: string | null;
  /** Null if that is not scheduled. */
  readonly publishAt: string | null;
  readonly unpublishAt: string | null;
  /** What ended last, and how. */
  readonly last: {
    readonly action: "publish" | "unpublish";
    readonly at: string;
    readonly state: "done" | "cancelled" | "failed";
    /** Why it was cancelled or failed. */
    readonly reason: string | null;
  } | null;
}

/** A version of a document, as it was written or removed. */
export interface VersionInfo {
  readonly id: number;
  readonly documentId: string;
  /** Null for a type without locales. */
  readonly locale: string | null;
  readonly status: "draft" | "published";
  /** `found`: it existed before versions were stored, or was not written by the server. */
  readonly action: "create" | "update" | "publish" | "unpublish" | "discardDraft" | "delete" | "found";
  readonly at: string;
  /** Who did it; null if unknown. */
  readonly by: { readonly kind: "user" | "token" | "code" | "public"; readonly id: number | null } | null;
  /** The attributes that differ from the version before; null if there was none. */
  readonly changed: readonly string[] | null;
  /** The version that this one restored. */
  readonly restored: number | null;
}

/** A part of a version that no longer exists. */
export interface GonePart {
  /** Where it was, such as `sections.0.image`. */
  readonly path: string;
  readonly reason: "attribute" | "type" | "component" | "document" | "file";
  /** The id of the document or file; for code, the value of an attribute that is no longer declared. */
  readonly value?: unknown;
}

/** An attribute in two versions, each as answers show it. */
export interface VersionDifference {
  readonly attribute: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What to schedule: an instant, or null to withdraw it. Omitted values stay. */
export interface ScheduleData {
  readonly publishAt?: string | null;
  readonly unpublishAt?: string | null;
}

/** The page of a list, for requests with `page` and `pageSize`. */
export interface PageInfo {
  readonly page: number;
  readonly pageSize: number;
  readonly pageCount: number;
  readonly total: number;
}

/** The part of a list, for requests with `start` and `limit`. */
export interface OffsetInfo {
  readonly start: number;
  readonly limit: number;
  readonly total: number;
}

/** The part of a list, for requests with `after` and `pageSize`. */
export interface CursorInfo {
  readonly pageSize: number;
  /** The cursor of the next part; null if there is none. */
  readonly after: string | null;
}

/** The part of a list, for requests with `after` and `limit`. */
export interface LimitedCursorInfo extends Omit<CursorInfo, "pageSize"> {
  readonly limit: number;
}

/** The pagination in a response, depending on that in the request. */
export type InfoOf<Paged> = Paged extends { readonly after: string }
  ? CursorPart<Paged> & (Paged extends { readonly withCount: true } ? { readonly total: number } : {})
  : Paged extends { readonly withCount: boolean }
    ? Uncounted<PartOf<Paged>, Paged["withCount"]>
    : PartOf<Paged>;

type CursorPart<Paged> = "limit" extends keyof Paged ? LimitedCursorInfo : CursorInfo;

type PartOf<Paged> = keyof Paged & ("start" | "limit") extends never ? PageInfo : OffsetInfo;
type Uncounted<Info, Counts> = Counts extends true ? Info : Omit<Info, "total" | "pageCount">;
