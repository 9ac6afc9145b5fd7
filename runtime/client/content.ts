/** The documents of a content type. The types of responses depend on the request. */
import type { DocumentOf, InputOf, KnownUid, Status } from "../schema/document.ts";
import type {
  AnswerQuery,
  CreateData,
  Exact,
  FindOneQuery,
  FindQuery,
  Pagination,
  ReadDocument,
  UpdateData,
  UpdateQuery,
  WriteQuery,
} from "../schema/typed/index.ts";
import type { Answer, InfoOf, ListAnswer, Schedule, ScheduleData } from "./answers.ts";
import { type Http, segment } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { FieldsOf, Known, NothingOf, PopulateOf } from "./shown.ts";

type Created<Uid extends KnownUid, Asked extends Status> = CreateData<DocumentOf<Uid>, InputOf<Uid>, Asked>;
type Updated<Uid extends KnownUid, Asked extends Status> = UpdateData<DocumentOf<Uid>, InputOf<Uid>, Asked>;

/** The locale to use; the default one if omitted. */
export interface LocaleQuery {
  readonly locale?: string;
}

/** The page size for reading a whole list. */
export interface PageSize {
  readonly pageSize?: number;
}

/**
 * The documents of a collection type. The type of a response depends on `status`, `fields` and `populate`. Refused
 * requests reject with a `RequestError`; its `status` is 404 if there is no such document.
 */
export interface Collection<Uid extends KnownUid> {
  /** A page of documents. */
  find<
    const Listed extends FieldsOf<Uid> = "*",
    const Populated extends PopulateOf<Uid> = NothingOf<Uid>,
    Asked extends Status = "published",
    const Paged extends Pagination = {},
  >(
    query?: FindQuery<
      DocumentOf<Uid>,
      Listed,
      Known<Uid, Populated>,
      Asked,
      "client",
      Paged & Exact<Paged, Pagination>
    >,
    options?: RequestOptions,
  ): Promise<ListAnswer<ReadDocument<DocumentOf<Uid>, Listed, Populated, Asked>, InfoOf<Paged>>>;
  /**
   * All matching documents, one after the other. Pages are requested as needed, with cursors, so that writes meanwhile
   * neither repeat documents nor leave any out.
   */
  all<
    const Listed extends FieldsOf<Uid> = "*",
    const Populated extends PopulateOf<Uid> = NothingOf<Uid>,
    Asked extends Status = "published",
  >(
    query?: FindQuery<DocumentOf<Uid>, Listed, Known<Uid, Populated>, Asked, "client", PageSize>,
    options?: RequestOptions,
  ): AsyncIterable<ReadDocument<DocumentOf<Uid>, Listed, Populated, Asked>>;
  findOne: FindOne<Uid, [documentId: string]>;
  /** Creates a document, and publishes it unless `status` is `draft`. */
  create: Create<Uid>;
  /** Changes the attributes in `data`, in one locale, which may be new. */
  update: Update<Uid, [documentId: string]>;
  /** Deletes one locale, or all (`*`). Does not fail if there is no such document. */
  delete(documentId: string, query?: LocaleQuery, options?: RequestOptions): Promise<void>;
}

/** Methods of types with draft & publish. */
export interface Versions<Uid extends KnownUid, Which extends readonly string[]> {
  /** Publishes the draft as it is. */
  publish: Act<Uid, Which, "published">;
  /** Removes the published version, and returns the draft. */
  unpublish: Act<Uid, Which, "draft">;
  /** Replaces the draft by the published version. */
  discardDraft: Act<Uid, Which, "draft">;
}

/** A collection type with draft & publish. */
export interface CollectionWithDrafts<Uid extends KnownUid>
  extends Collection<Uid>, Versions<Uid, [documentId: string]> {}

/** Methods of types with `options.schedule`. */
export interface Scheduling<Which extends readonly string[]> {
  /** Sets when the draft is published and when it is unpublished, in one locale. */
  schedule(
    ...args: [...Which, query: { readonly data: ScheduleData } & LocaleQuery, options?: RequestOptions]
  ): Promise<Answer<Schedule>>;
}

/** The document of a single type. */
export interface Single<Uid extends KnownUid> {
  find: FindOne<Uid, []>;
  /** Changes the attributes in `data`, or creates the document. */
  update: Update<Uid, []>;
  /** Deletes one locale, or all (`*`). Does not fail if there is no document. */
  delete(query?: LocaleQuery, options?: RequestOptions): Promise<void>;
}

/** A single type with draft & publish. */
export interface SingleWithDrafts<Uid extends KnownUid> extends Single<Uid>, Versions<Uid, []> {}

/** Reads a document. */
export type FindOne<Uid extends KnownUid, Which extends readonly string[]> = <
  const Listed extends FieldsOf<Uid> = "*",
  const Populated extends PopulateOf<Uid> = NothingOf<Uid>,
  Asked extends Status = "published",
>(
  ...args: [
    ...Which,
    query?: FindOneQuery<DocumentOf<Uid>, Listed, Known<Uid, Populated>, Asked, "client">,
    options?: RequestOptions,
  ]
) => Promise<Answer<ReadDocument<DocumentOf<Uid>, Listed, Populated, Asked>>>;

/** Creates a document, and returns it. */
export type Create<Uid extends KnownUid> = <
  const Listed extends FieldsOf<Uid> = "*",
  const Populated extends PopulateOf<Uid> = NothingOf<Uid>,
  Asked extends Status = "published",
>(
  query: WriteQuery<Created<Uid, Asked>, Listed, Known<Uid, Populated>, Asked>,
  options?: RequestOptions,
) => Promise<Answer<ReadDocument<DocumentOf<Uid>, Listed, Populated, Asked>>>;

/** Changes a document, and returns it. */
export type Update<Uid extends KnownUid, Which extends readonly string[]> = <
  const Listed extends FieldsOf<Uid> = "*",
  const Populated extends PopulateOf<Uid> = NothingOf<Uid>,
  Asked extends Status = "published",
>(
  ...args: [
    ...Which,
    query: UpdateQuery<Updated<Uid, Asked>, Listed, Known<Uid, Populated>, Asked>,
    options?: RequestOptions,
  ]
) => Promise<Answer<ReadDocument<DocumentOf<Uid>, Listed, Populated, Asked>>>;

/** Publishes, unpublishes or discards a version, and returns the document. */
export type Act<Uid extends KnownUid, Which extends readonly string[], Left extends Status> = <
  const Listed extends FieldsOf<Uid> = "*",
  const Populated extends PopulateOf<Uid> = NothingOf<Uid>,
>(
  ...args: [...Which, query?: AnswerQuery<Listed, Known<Uid, Populated>>, options?: RequestOptions]
) => Promise<Answer<ReadDocument<DocumentOf<Uid>, Listed, Populated, Left>>>;

interface Position {
  readonly pageSize: number;
  readonly after?: string | null;
}

/**
 * Requests pages until there are no more. From servers that ignore cursors it requests pages by number, until one is
 * not full. Such a server may return smaller pages than requested, and says how large they are.
 */
async function* each<Item>(
  ask: (place: { readonly after: string } | { readonly page: number }) => Promise<ListAnswer<Item, Position>>,
): AsyncGenerator<Item, void, undefined> {
  let place: Parameters<typeof ask>[0] = { after: "" };
  for (let page = 2; ; page++) {
    const { data, meta } = await ask(place);
    yield* data;
    const { after, pageSize } = meta.pagination;
    const isLast = after === undefined ? data.length < pageSize : after === null;
    if (isLast || data.length === 0) return;
    place = typeof after === "string" ? { after } : { page };
  }
}

/** Creates a part of a client; called for each client. */
export type Part<Api> = (http: Http) => Api;

/** The collection type whose path is `/<path>`. */
export const collection =
  <Uid extends KnownUid>(path: string): Part<Collection<Uid>> =>
  ({ request }) => {
    const list = `/${path}`;
    const one = (documentId: string): string => `${list}/${segment(documentId)}`;
    return {
      find: async (query, options) => request("GET", list, { query, options }),
      all: (query, options) =>
        each((place) => {
          const pagination = { ...place, withCount: false, ...query?.pagination };
          return request("GET", list, { query: { ...query, pagination }, options });
        }),
      findOne: async (documentId, query, options) => request("GET", one(documentId), { query, options }),
      create: async ({ data, ...query }, options) => request("POST", list, { query, body: { data }, options }),
      update: async (documentId, { data, copyFrom, ...query }, options) =>
        request("PUT", one(documentId), { query, body: { data, meta: metaOf(copyFrom) }, options }),
      delete: async (documentId, query, options) => request("DELETE", one(documentId), { query, options }),
    };
  };

const metaOf = (copyFrom: string | undefined) => (copyFrom === undefined ? undefined : { copyFrom });

/** The functions of {@link Versions}. */
const versions = <Act>(act: (action: string) => Act) => ({
  publish: act("publish"),
  unpublish: act("unpublish"),
  discardDraft: act("discard-draft"),
});

/** The same, with draft & publish. */
export const collectionWithDrafts =
  <Uid extends KnownUid>(path: string): Part<CollectionWithDrafts<Uid>> =>
  (http) => ({
    ...collection<Uid>(path)(http),
    ...versions(
      (action) =>
        async <Answered>(documentId: string, query?: object, options?: RequestOptions) =>
          http.request<Answered>("POST", `/${path}/${segment(documentId)}/actions/${action}`, {
            query,
            options,
          }),
    ),
  });

/** The single type whose path is `/<path>`. */
export const single =
  <Uid extends KnownUid>(path: string): Part<Single<Uid>> =>
  ({ request }) => ({
    find: async (query, options) => request("GET", `/${path}`, { query, options }),
    update: async ({ data, copyFrom, ...query }, options) =>
      request("PUT", `/${path}`, { query, body: { data, meta: metaOf(copyFrom) }, options }),
    delete: async (query, options) => request("DELETE", `/${path}`, { query, options }),
  });

/** The same, with draft & publish. */
export const singleWithDrafts =
  <Uid extends KnownUid>(path: string): Part<SingleWithDrafts<Uid>> =>
  (http) => ({
    ...single<Uid>(path)(http),
    ...versions(
      (action) =>
        async <Answered>(query?: object, options?: RequestOptions) =>
          http.request<Answered>("POST", `/${path}/actions/${action}`, { query, options }),
    ),
  });

/** The same with schedules. */
export const scheduled =
  <Uid extends KnownUid>(path: string): Part<CollectionWithDrafts<Uid> & Scheduling<[documentId: string]>> =>
  (http) => ({
    ...collectionWithDrafts<Uid>(path)(http),
    schedule: async (documentId, { data, ...query }, options) =>
      http.request("POST", `/${path}/${segment(documentId)}/actions/schedule`, { query, body: { data }, options }),
  });

/** A single type with schedules. */
export const scheduledSingle =
  <Uid extends KnownUid>(path: string): Part<SingleWithDrafts<Uid> & Scheduling<[]>> =>
  (http) => ({
    ...singleWithDrafts<Uid>(path)(http),
    schedule: async ({ data, ...query }, options) =>
      http.request("POST", `/${path}/actions/schedule`, { query, body: { data }, options }),
  });
