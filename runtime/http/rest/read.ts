/** Handlers of the reading routes. */
import type { Context, Handler } from "hono";
import type { Locales } from "../../client/answers.ts";
import { readerFor } from "../../database/database.ts";
import { limited, limitsOf, shown } from "../../documents/read-hooks.ts";
import {
  AnswerSize,
  booleanWord,
  Budget,
  jsonList,
  LIVE,
  localeOf,
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
import { conditionsOf, ownHandler, sendReply, storeAnswer } from "../frame/answer.ts";
import { JSON_TYPE } from "../frame/headers.ts";
import { fitted, ReadAnswer } from "../frame/read-answer.ts";
import { withAdded } from "./added-query.ts";
import {
  contextOf,
  envelope,
  formatOf,
  isOld,
  metaOf,
  named,
  parsedQueryOf,
  queryStringOf,
  translated,
} from "./exchange.ts";

/** GET of a collection: a page of documents. */
export const find = <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  reading(type, async (c, context, query) => {
    const prepared = prepare(context, type, query, false);
    const { documents, pagination, ran } = await runMany(context, prepared);
    const { readHooks } = context.services;
    const visible = readHooks ? await shown(context, documents) : documents;
    const json = jsonList(visible, { format: formatOf(c), size: sizeOf(context) });
    const search = await searchMetaOf(context, ran, readHooks?.after.has(type.uid) ? null : visible);
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
      return envelope(c, document, meta, sizeOf(context));
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
    return envelope(c, document, meta, sizeOf(context));
  });

/** The query of a request, changed by the type's hook if it has one. */
const askedOf = async (c: Context<AppEnv>, type: ContentType): Promise<Query> => {
  const text = queryStringOf(c);
  const added = c.get("added");
  const context = contextOf(c);
  const isNarrowed = context.services.readHooks?.before.has(type.uid);
  const isFour = isOld(c);
  if (added === undefined && !isNarrowed && !isFour) return text;
  const parsed = parsedQueryOf(c);
  const translation = isFour ? translated(c, type, parsed) : parsed;
  const query = added ? withAdded(translation, added) : translation;
  return isNarrowed ? limited(query, await limitsOf(context, type)) : query;
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

const parsed = ({ services }: ReadContext, query: Query): RawQuery =>
  typeof query === "string" ? parseQuery(query, services.config.rest.arrayLimit) : query;

interface Read {
  readonly documentId: string;
  readonly document: RowSet | null;
}

/**
 * The schedule in a read, of the locale that it shows, which may be a fallback. Only drafts show it, since readers of
 * published versions need not know when those end.
 */
const scheduleOf = async (context: ReadContext, type: ContentType, { documentId, document }: Read, asked: Query) => {
  const [row] = document?.rows ?? [];
  if (!type.schedule || !document || !row) return {};
  const { status } = parsed(context, asked);
  if (status !== "draft" && status !== PREVIEW) return {};
  return metaOf(context, type, { documentId, locale: localeOf(document.level, row) });
};

const readMeta = async (context: ReadContext, type: ContentType, asked: Query, read: Read): Promise<object> => {
  const { localization } = await localizationsOf(context, type, asked, read.document);
  const [only] = Object.values(localization ?? {});
  return { ...(await scheduleOf(context, type, read, asked)), ...(only ? { localization: only } : {}) };
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
    const { services, caller } = context;
    const read = { caller, query: queryStringOf(c), showsDrafts: drafts(c) };
    const headers = { ...services.cacheControl?.headersFor(type.uid, read), ...JSON_TYPE };
    if (c.get("isRead")) return sendReply(c, { status: 200, headers, body: text });
    const answer = ReadAnswer.tagged(text, headers);
    if (!services.readHooks?.concerned.has(type.uid)) storeAnswer(c, answer);
    return sendReply(c, await fitted(answer, conditionsOf(c)));
  });
