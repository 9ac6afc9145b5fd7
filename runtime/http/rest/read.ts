/** Handlers of the reading routes. */
import type { Context, Handler } from "hono";
import { NotFoundError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Locales } from "../../client/answers.ts";
import { readerFor } from "../../database/database.ts";
import { addedFilters, hasReadHooks, isChanged, isNarrowed, limited, limitsOf, shown } from "../../documents/hooks.ts";
import type { WantedSchedule } from "../../documents/operations/index.ts";
import {
  AnswerSize,
  booleanWord,
  Budget,
  jsonList,
  jsonOf,
  LIVE,
  localesOf,
  parseQuery,
  prepare,
  PREVIEW,
  type Query,
  type RawQuery,
  readOne,
  readSingle,
  type RowSet,
  runMany,
  searchMetaOf,
} from "../../query/index.ts";
import type { ContentType, DocumentFields } from "../../schema/content-type.ts";
import type { AppEnv } from "../context.ts";
import { conditionsOf, ownHandler, sendJson, sendReply, storeAnswer } from "../frame/answer.ts";
import { cachingHeaders } from "../frame/cache-control.ts";
import { JSON_TYPE } from "../frame/headers.ts";
import { fitted, ReadAnswer } from "../frame/read-answer.ts";
import { contextOf, formatOf, isOld, named, parsedQueryOf, queryStringOf, translated } from "./read-request.ts";

/** GET of a collection: a page of documents. */
export const find = <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  reading(type, async (c, context, query) => {
    const prepared = prepare(context, type, query, false);
    const { documents, pagination, ran } = await runMany(context, prepared);
    const visible = await shown(context, documents);
    const json = jsonList(visible, { format: formatOf(c), size: sizeOf(context) });
    const search = await searchMetaOf(context, ran, isChanged(context.services, type) ? null : visible);
    const localizations = await localizationsOf(context, type, query, visible);
    const meta = { pagination, ...localizations, ...(search ? { search } : {}) };
    return `{"data":${json},"meta":${JSON.stringify(meta)}}`;
  });

/** GET of one document by its documentId. */
export const findOne = <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  reading(
    type,
    async (c, context, query) => {
      const { documentId, where } = await named(c, type, context.session);
      const asked = typeof query === "string" ? query : { ...query, ...where, ...unaskedDrafts(c, query) };
      const document = await readOne(context, type, documentId, asked);
      const meta = await readMeta(context, type, asked, { documentId, document });
      return envelope(c, document, { size: sizeOf(context), meta });
    },
    showsDrafts,
  );

/**
 * Whether a version 4 client that reads a single entry gets drafts without asking: it does if drafts need no permission
 * of their own, unless it asks for live versions.
 */
const showsDrafts = (c: Context<AppEnv>): boolean =>
  isOld(c) && c.get("services").config.rest.drafts === "find" && parsedQueryOf(c)["publicationState"] === undefined;

const unaskedDrafts = (c: Context<AppEnv>, { status }: RawQuery): RawQuery =>
  status === LIVE && showsDrafts(c) ? { status: PREVIEW } : {};

/** GET of a single type. */
export const findSingle = <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  reading(type, async (c, context, query) => {
    const document = await readSingle(context, type, query);
    const meta = await readMeta(context, type, query, { documentId: "", document });
    return envelope(c, document, { size: sizeOf(context), meta });
  });

/** The query of a request, changed by the type's hook if it has one. */
const askedOf = (c: Context<AppEnv>, type: ContentType): string | Promise<RawQuery> => {
  const text = queryStringOf(c);
  const added = c.get("added");
  const context = contextOf(c);
  const isOwn = isNarrowed(context.services, type);
  const isFour = isOld(c);
  if (added === undefined && !isOwn && !isFour) return text;
  const parsed = parseQuery(text, context.services.config.rest.arrayLimit);
  const query = withAdded(isFour ? translated(c, type, parsed) : parsed, added);
  return isOwn ? limitsOf(context, type).then((limits) => limited(query, limits)) : Promise.resolve(query);
};

/** The parameters of the two kinds of pages, which one query may not mix. */
const PAGE_KINDS = [
  ["page", "pageSize"],
  ["start", "limit"],
];

/** The parameters that say where a page begins; a query has at most one of them. */
const POSITIONS = ["page", "start", "after"];

/** The page that the client asks for. Takes the page size that a route adds, unless that is of the other kind. */
const pageOf = (wanted: unknown, added: unknown): unknown => {
  if (!isRecord(wanted) || !isRecord(added)) return wanted ?? added;
  const others = PAGE_KINDS.flatMap((kind) => (kind.some((name) => Object.hasOwn(wanted, name)) ? [] : kind));
  const hasKind = others.length < PAGE_KINDS.flat().length;
  const isPlaced = POSITIONS.some((name) => Object.hasOwn(wanted, name));
  const left = new Set([...(hasKind ? others : []), ...(isPlaced ? POSITIONS : [])]);
  return {
    ...Object.fromEntries(Object.entries(added).filter(([name]) => !left.has(name))),
    ...wanted,
  };
};

/** The query of the client, completed by the parameters that the route adds where the client gives none. */
export const withAdded = (query: RawQuery, added: RawQuery = {}): RawQuery => {
  const { filters: _filters, ...rest } = added;
  const pagination = pageOf(query["pagination"], added["pagination"]);
  return limited({ ...rest, ...query, ...(pagination === undefined ? {} : { pagination }) }, addedFilters(added));
};

/** The context for requests that only read: replicas may answer these. */
const replicaContext = (c: Context<AppEnv>) => {
  const context = contextOf(c);
  const { database, config } = context.services;
  const session = readerFor(database.reader ?? database, c.get("client"));
  return { ...context, session, budget: new Budget(config), fallsBack: true };
};

type ReadContext = ReturnType<typeof replicaContext>;

const sizeOf = ({ services }: ReadContext): AnswerSize => new AnswerSize(services.config.limits.answerSize);

/** The `meta` of a response with a document: its schedule, if there is or was one. */
export const metaOf = async (
  context: ReturnType<typeof contextOf>,
  type: ContentType,
  wanted: WantedSchedule,
): Promise<object> => {
  if (!type.schedule) return {};
  const schedule = await context.services.schedules?.find(context, type, wanted);
  return schedule ? { schedule } : {};
};

const parsed = ({ services }: ReadContext, query: Query): RawQuery =>
  typeof query === "string" ? parseQuery(query, services.config.rest.arrayLimit) : query;

/** The schedule in a read. Only drafts show it, since readers of published versions need not know when those end. */
const scheduleOf = async (context: ReadContext, type: ContentType, documentId: string, asked: Query) => {
  if (!type.schedule) return {};
  const { status, locale } = parsed(context, asked);
  return status === "draft" || status === PREVIEW ? metaOf(context, type, { documentId, locale }) : {};
};

interface Read {
  readonly documentId: string;
  readonly document: RowSet | null;
}

const readMeta = async (
  context: ReadContext,
  type: ContentType,
  asked: Query,
  { documentId, document }: Read,
): Promise<object> => {
  const { localization } = await localizationsOf(context, type, asked, document);
  const [only] = Object.values(localization ?? {});
  return { ...(await scheduleOf(context, type, documentId, asked)), ...(only ? { localization: only } : {}) };
};

/** The locales in which documents are translated, for queries that ask for them. */
const localizationsOf = async (
  context: ReadContext,
  type: ContentType,
  asked: Query,
  documents: RowSet | null,
): Promise<{ readonly localization?: Readonly<Record<string, { readonly locales: Locales }>> }> => {
  const isAsked = typeof asked !== "string" || asked.includes("localization");
  if (!type.localized || !documents || !isAsked || booleanWord(parsed(context, asked)["localization"]) !== true)
    return {};
  const { rows, level } = documents;
  const documentIds = [...new Set(rows.map((row) => String(row[level.documentIdIndex])))];
  const found = await localesOf(context, type, documentIds, await limitsOf(context, type));
  return { localization: Object.fromEntries([...found].map(([id, locales]) => [id, { locales }])) };
};

interface Envelope {
  readonly meta: object;
  readonly size?: AnswerSize;
}

/** The JSON envelope of a document; throws 404 if it is null. */
const envelope = async (c: Context<AppEnv>, document: RowSet | null, { meta, size }: Envelope): Promise<string> => {
  if (document === null) throw new NotFoundError();
  const data = jsonOf(await shown(contextOf(c), document), { format: formatOf(c), ...(size ? { size } : {}) });
  return `{"data":${data},"meta":${JSON.stringify(meta)}}`;
};

type TextOf = (c: Context<AppEnv>, context: ReadContext, query: Query) => Promise<string>;

/**
 * Handles a read. The response may be stored, unless the project's hooks affect it or its code reads it. Such responses
 * are sent whole.
 *
 * @param drafts whether the response may contain drafts that the query does not ask for
 */
const reading = (type: ContentType, textOf: TextOf, drafts = (_c: Context<AppEnv>) => false): Handler<AppEnv> =>
  ownHandler(async (c: Context<AppEnv>) => {
    const context = replicaContext(c);
    const text = await textOf(c, context, await askedOf(c, type));
    const read = { ...context, query: queryStringOf(c), showsDrafts: drafts(c) };
    const headers = { ...cachingHeaders(read, type.uid), ...JSON_TYPE };
    if (c.get("isRead")) return sendReply(c, { status: 200, headers, body: text });
    const answer = ReadAnswer.tagged(text, headers);
    if (!hasReadHooks(context.services, type)) storeAnswer(c, answer);
    return sendReply(c, await fitted(answer, conditionsOf(c)));
  });

/**
 * The JSON envelope of a document that was just written; throws 404 if it is null. It has no size limit: an error after
 * the write was stored would be misleading.
 */
export const answerDocument = async (
  c: Context<AppEnv>,
  document: RowSet | null,
  status: 200 | 201 = 200,
  meta: object = {},
): Promise<Response> => sendJson(c, await envelope(c, document, { meta }), status);
