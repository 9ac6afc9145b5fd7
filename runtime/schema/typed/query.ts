/** The parameters of reads, as objects: those of the REST interface. */
import type { Status } from "../document.ts";
import type { PublicationFilter } from "../publication-filter.ts";
import type { Filters, Sort } from "./filters.ts";
import type { Asker } from "./names.ts";
import type { Fields, Populate } from "./populate.ts";

/** The page after a cursor, which the previous page's response contains; `""` is the first page. */
export type CursorPagination = {
  readonly after: string;
  /** Whether to count the total, which takes longer than reading a page. */
  readonly withCount?: boolean;
  readonly page?: never;
  readonly start?: never;
} & ({ readonly pageSize?: number; readonly limit?: never } | { readonly limit?: number; readonly pageSize?: never });

/** A page of a list: by page number and size, by start and limit, or by cursor. */
export type Pagination =
  | CursorPagination
  | {
      readonly page?: number;
      readonly pageSize?: number;
      readonly withCount?: boolean;
      readonly start?: never;
      readonly limit?: never;
      readonly after?: never;
    }
  | {
      readonly start?: number;
      readonly limit?: number;
      readonly withCount?: boolean;
      readonly page?: never;
      readonly pageSize?: never;
      readonly after?: never;
    };

/** What a response shows, and in which locale. */
export interface AnswerQuery<Listed, Populated> {
  readonly locale?: string;
  readonly fields?: Listed;
  readonly populate?: Populated;
}

/** Which version of a document is read, and what is shown of it. */
export interface FindOneQuery<
  Document,
  Listed = Fields<Document>,
  Populated = Populate<Document>,
  Asked = Status,
  By extends Asker = "application",
> extends AnswerQuery<Listed, Populated> {
  /** `published` by default. */
  readonly status?: Asked;
  readonly filters?: Filters<Document, By>;
  /** Fallback locales for documents that lack `locale`: the first that a document has is shown. */
  readonly fallback?: string | readonly string[];
  /** Whether `meta` of the response lists the locales in which each document exists. */
  readonly localization?: boolean;
}

/** Which documents are read, in which order, and what is shown of them. */
export interface FindQuery<
  Document,
  Listed = Fields<Document>,
  Populated = Populate<Document>,
  Asked = Status,
  By extends Asker = "application",
  Paged = Pagination,
> extends FindOneQuery<Document, Listed, Populated, Asked, By> {
  /** `_score` puts the best matches of a full-text search first. */
  readonly sort?: Sort<Document, By> | "_score";
  readonly pagination?: Paged;
  readonly publicationFilter?: PublicationFilter;
  /** A text to search for in all attributes. */
  readonly _q?: string;
  /** Enumerations, booleans and relations whose values are counted in `meta.search` of the response. */
  readonly facets?: readonly (keyof Document & string)[];
  /** Whether `meta.search` of the response has the text around the words found. */
  readonly snippets?: boolean;
}

/** Selects documents, for calls that return none. */
export type MatchQuery<Document> = Pick<
  FindQuery<Document>,
  "locale" | "status" | "filters" | "publicationFilter" | "_q"
>;

/** What to write, where, and what is shown of it. */
export interface WriteQuery<Data, Listed, Populated, Asked> extends AnswerQuery<Listed, Populated> {
  /** `published` by default. */
  readonly status?: Asked;
  readonly data: Data;
}

/** A change of a document, or a locale that is added to it. */
export interface UpdateQuery<Data, Listed, Populated, Asked> extends WriteQuery<Data, Listed, Populated, Asked> {
  /** The locale from which a new locale takes the values that `data` omits. */
  readonly copyFrom?: string;
}

/** What to write to many documents, and where. */
export interface ManyQuery<Data, Asked> {
  readonly locale?: string;
  /** `published` by default. */
  readonly status?: Asked;
  readonly data: Data;
}

/** Selects the documents for a bulk write; `filters: {}` means all. */
export interface FilteredQuery<Document> {
  readonly filters: Filters<Document>;
  readonly publicationFilter?: PublicationFilter;
  /** A text to search for in all attributes. */
  readonly _q?: string;
}
