/** What the wire wraps documents in. */

/** An answer that holds one document. */
export interface Answer<Data> {
  readonly data: Data;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** An answer that holds a part of a list. */
export interface ListAnswer<Item, Part = PageInfo> {
  readonly data: Item[];
  readonly meta: { readonly pagination: Part };
}

/** Which page of a list it is. */
export interface PageInfo {
  readonly page: number;
  readonly pageSize: number;
  readonly pageCount: number;
  readonly total: number;
}

/** Where in a list it is, asked for by `start` and `limit`. */
export interface OffsetInfo {
  readonly start: number;
  readonly limit: number;
  readonly total: number;
}

/** What is told of a part that was asked for like this. */
export type InfoOf<Paged> = Paged extends { readonly withCount: boolean }
  ? Uncounted<PartOf<Paged>, Paged["withCount"]>
  : PartOf<Paged>;

type PartOf<Paged> = keyof Paged & ("start" | "limit") extends never ? PageInfo : OffsetInfo;
type Uncounted<Info, Counts> = Counts extends true ? Info : Omit<Info, "total" | "pageCount">;
