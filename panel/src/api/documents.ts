/** Reading and writing documents of any type. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { send } from "./client.ts";
import { type Attributes, type ContentType, mainAttribute, type Model } from "./description.ts";

export interface Document {
  readonly id: number;
  readonly documentId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  readonly locale?: string;
  readonly localizations?: readonly Document[];
  readonly [name: string]: unknown;
}

/** What happens to a document by itself, and when. */
export interface Scheduled {
  readonly documentId: string;
  readonly action: "publish" | "unpublish";
  readonly at: string;
}

export interface Page {
  readonly data: readonly Document[];
  readonly meta: {
    /** Of the lists of scheduled documents. */
    readonly schedules?: readonly Scheduled[];
    readonly pagination: {
      readonly pageSize: number;
      /** The cursor of the next page; null on the last one. */
      readonly after: string | null;
      readonly total: number;
    };
  };
}

export interface Envelope {
  readonly data: Document;
  readonly meta: { readonly schedule?: Schedule };
}

export interface Schedule {
  readonly publishAt: string | null;
  readonly unpublishAt: string | null;
}

export const pathOf = (type: ContentType, documentId?: string): string =>
  type.kind === "singleType"
    ? `/${type.singularName}`
    : `/${type.pluralName}${documentId === undefined ? "" : `/${documentId}`}`;

/** Most levels of nested components that are read. */
const DEEPEST = 6;

/** The populate parameter that shows everything that the form edits. */
export const populateAll = (model: Model, attributes: Attributes, depth = 0): Record<string, unknown> => {
  const entries = Object.entries(attributes).flatMap(
    ([name, { type, target, component, components = [] }]): [string, unknown][] => {
      switch (type) {
        case "media":
          return [[name, true]];
        case "relation": {
          const main = mainAttribute(model.type(target)?.attributes ?? {});
          return target === undefined
            ? []
            : [[name, { fields: [...(main === undefined ? [] : [main]), "documentId"] }]];
        }
        case "component": {
          const inner = model.component(component);
          return inner && depth < DEEPEST ? [[name, nested(model, inner.attributes, depth)]] : [];
        }
        case "dynamiczone": {
          const on = components.flatMap((uid): [string, unknown][] => {
            const inner = model.component(uid);
            return inner ? [[uid, nested(model, inner.attributes, depth)]] : [];
          });
          return depth < DEEPEST ? [[name, { on: Object.fromEntries(on) }]] : [];
        }
        default:
          return [];
      }
    },
  );
  return Object.fromEntries(entries);
};

const nested = (model: Model, attributes: Attributes, depth: number): unknown => {
  const populate = populateAll(model, attributes, depth + 1);
  return Object.keys(populate).length === 0 ? true : { populate };
};

/** Asks for drafts if the caller may read them in this language, or in any. */
export const statusOf = (model: Model, type: ContentType, locale?: string): { status?: "draft" } =>
  type.draftAndPublish && (model.drafts === "find" || model.canIn(`${type.uid}.readDraft`, locale))
    ? { status: "draft" }
    : {};

const localeOf = (type: ContentType, locale: string | undefined) =>
  type.localized && locale !== undefined ? { locale } : {};

const localizationsOf = (type: ContentType) => (type.localized ? { localizations: { fields: ["locale"] } } : {});

export const documentKey = (type: ContentType, documentId: string, locale: string | undefined) =>
  ["document", type.uid, documentId, locale] as const;

/** One document with everything that its form shows; null if it does not exist in this locale yet. */
export const readDocument = async (
  model: Model,
  type: ContentType,
  { documentId, locale }: { documentId: string; locale: string | undefined },
  status: "draft" | "published" | undefined = statusOf(model, type, locale).status,
): Promise<Envelope | null> => {
  const populate = { ...populateAll(model, type.attributes), ...localizationsOf(type) };
  const query = { ...(status ? { status } : {}), ...localeOf(type, locale), populate };
  try {
    return await send<Envelope>("GET", pathOf(type, documentId), { query });
  } catch (error) {
    if (error instanceof Error && error.name === "NotFoundError") return null;
    throw error;
  }
};

/** The languages that a document is in. */
const readLocales = async (model: Model, type: ContentType, documentId: string): Promise<ReadonlySet<string>> => {
  const query = { ...statusOf(model, type), fields: ["locale"] };
  const { default: usual, codes } = model.locales;
  if (type.kind === "singleType") {
    const { localizations = [], locale } = (
      await send<Envelope>("GET", pathOf(type), { query: { ...query, locale: usual, ...localizationsIn } })
    ).data;
    return new Set([locale ?? usual, ...localizations.map((other) => other.locale ?? "")]);
  }
  const page = { filters: { documentId: { $eq: documentId } }, locale: "*", pagination: { pageSize: codes.length } };
  const { data } = await send<Page>("GET", pathOf(type), { query: { ...query, ...page } });
  return new Set(data.map(({ locale }) => locale ?? ""));
};

const localizationsIn = { populate: { localizations: { fields: ["locale"] } } };

export const useLocales = (model: Model, type: ContentType, documentId: string, enabled = true) =>
  useQuery({
    enabled,
    queryKey: ["document", type.uid, documentId, "locales"],
    queryFn: () => readLocales(model, type, documentId),
    retry: false,
  });

export interface ListQuery {
  /** The cursor of the page; empty for the first. A page behind a cursor costs the same at any depth. */
  readonly after: string;
  readonly pageSize: number;
  readonly sort: string;
  readonly search: string;
  readonly locale: string | undefined;
  readonly filters: object | undefined;
  readonly publication: string | undefined;
  readonly columns: readonly string[];
}

const shownIn = (model: Model, type: ContentType, columns: readonly string[]) => {
  const fields = ["updatedAt", "createdAt", ...(type.localized ? ["locale"] : [])];
  const populate: Record<string, unknown> = { ...localizationsOf(type) };
  for (const name of columns) {
    const attribute = type.attributes[name];
    if (attribute?.type === "media") populate[name] = { fields: ["url", "mime", "name", "formats", "alternativeText"] };
    else if (attribute?.type === "relation") {
      const main = mainAttribute(model.type(attribute.target)?.attributes ?? {});
      populate[name] = { fields: [...(main === undefined ? [] : [main]), "documentId"] };
    } else if (attribute && !["component", "dynamiczone"].includes(attribute.type)) fields.push(name);
  }
  return { fields, populate };
};

/** The state of documents that wait for their publication or for its end. */
export const SCHEDULED = "scheduled";

/** Where the scheduled documents of a type are listed. */
const schedulesOf = (type: ContentType): string => `/schedules${pathOf(type)}`;

/** A page of documents. */
export const readPage = (model: Model, type: ContentType, query: ListQuery, withCount = false): Promise<Page> => {
  const { after, pageSize, sort, search, locale, filters, publication, columns } = query;
  const main = mainAttribute(type.attributes);
  const isScheduled = publication === SCHEDULED;
  return send<Page>("GET", isScheduled ? schedulesOf(type) : pathOf(type), {
    query: {
      ...statusOf(model, type, locale),
      ...localeOf(type, locale),
      ...(search === "" ? {} : { _q: search }),
      ...(publication === undefined || isScheduled ? {} : { publicationFilter: publication }),
      filters,
      sort,
      pagination: { after, pageSize, withCount },
      ...shownIn(model, type, main === undefined ? columns : [main, ...columns]),
    },
  });
};

/** The same, with when each document was published, and with what is scheduled for it. */
const readList = async (model: Model, type: ContentType, query: ListQuery) => {
  const found = await readPage(model, type, query, true);
  const { locale } = query;
  const isScheduled = type.schedules && statusOf(model, type, locale).status === "draft";
  const [published, scheduled] = await Promise.all([
    type.draftAndPublish ? readSome(pathOf(type), type, found.data, locale) : undefined,
    isScheduled ? readSome(schedulesOf(type), type, found.data, locale) : undefined,
  ]);
  return {
    ...found,
    published: new Map(published?.data.map(({ documentId, updatedAt }) => [documentId, updatedAt])),
    scheduled: scheduled?.meta.schedules ?? [],
  };
};

export type List = Awaited<ReturnType<typeof readList>>;

/** Those of the documents that a list contains. */
const readSome = async (
  path: string,
  type: ContentType,
  documents: readonly Document[],
  locale: string | undefined,
): Promise<Page | undefined> => {
  if (documents.length === 0) return undefined;
  const query = {
    ...localeOf(type, locale),
    fields: ["updatedAt"],
    filters: { documentId: { $in: documents.map(({ documentId }) => documentId) } },
    pagination: { pageSize: documents.length },
  };
  return send<Page>("GET", path, { query });
};

export const useList = (model: Model, type: ContentType, query: ListQuery) =>
  useQuery({
    queryKey: ["list", type.uid, query],
    queryFn: () => readList(model, type, query),
    placeholderData: keepPreviousData,
  });

/** Searches documents of a type, for pickers. */
export const searchDocuments = async (model: Model, type: ContentType, search: string, locale: string | undefined) => {
  const main = mainAttribute(type.attributes);
  const { data } = await send<Page>("GET", pathOf(type), {
    query: {
      ...statusOf(model, type, locale),
      ...localeOf(type, locale),
      ...(search === "" ? {} : { _q: search }),
      fields: main === undefined ? ["documentId"] : [main],
      sort: main === undefined ? "updatedAt:desc" : main,
      pagination: { pageSize: 20 },
    },
  });
  return data;
};

export type Status = "draft" | "modified" | "published";

/** The status of a document, from the time when its published version was written. */
export const stateOf = (draft: Document, publishedAt: string | undefined): Status => {
  if (publishedAt === undefined) return "draft";
  return draft.updatedAt > publishedAt ? "modified" : "published";
};

/** Runs an action on a document: publish, unpublish, discard-draft. */
export const act = (
  type: ContentType,
  documentId: string,
  action: string,
  locale: string | undefined,
): Promise<Envelope> =>
  send<Envelope>("POST", `${pathOf(type, documentId)}/actions/${action}`, { query: localeOf(type, locale), body: {} });

export const removeDocument = (type: ContentType, documentId: string, locale: string | undefined): Promise<void> =>
  send("DELETE", pathOf(type, documentId), { query: localeOf(type, locale) });
