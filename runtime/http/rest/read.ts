/** Handlers of the reading routes. */
import type { Context, Handler } from "hono";
import { NotFoundError } from "../../base/errors.ts";
import { readerFor } from "../../database/database.ts";
import type { State } from "../../database/states.ts";
import { addedFilters, hasReadHooks, isNarrowed, limited, limitsOf, shown } from "../../documents/read-hooks.ts";
import {
  AnswerSize,
  Budget,
  jsonList,
  jsonOf,
  parseQuery,
  type Query,
  type RawQuery,
  type ReadContext,
  readMany,
  readOne,
  readSingle,
  type RowSet,
} from "../../query/index.ts";
import type { ContentType, DocumentFields } from "../../schema/content-type.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";
import { askerOf } from "../frame/asker.ts";
import { sendRead } from "../frame/read-answer.ts";
import { readAnswer } from "../frame/read-text.ts";
import type { Asked } from "./kept.ts";
import { formatOf, isOld, named, translated } from "./version-four.ts";

/** GET of a collection: a page of documents. */
export const find =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  (c) =>
    answerRead(c, type, "find", async (context, query) => {
      const { documents, pagination } = await readMany(context, type, query);
      const json = jsonList(await shown(requestOf(c), documents), { format: formatOf(c), size: sizeOf(c) });
      return `{"data":${json},"meta":{"pagination":${JSON.stringify(pagination)}}}`;
    });

/** GET of one document by its documentId. */
export const findOne =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  (c) =>
    answerRead(c, type, "findOne", async (context, query) => {
      const { documentId, where } = await named(c, context, type);
      const asked = typeof query === "string" ? query : { ...query, ...where };
      return envelope(c, await readOne(context, type, documentId, asked), sizeOf(c));
    });

/** GET of a single type. */
export const findSingle =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  (c) =>
    answerRead(c, type, "findSingle", async (context, query) =>
      envelope(c, await readSingle(context, type, query), sizeOf(c)),
    );

export const documentIdOf = (c: Context<AppEnv>): string => c.req.param("documentId") ?? "";

/** A request, whatever else its context holds. */
interface Asking {
  readonly req: { readonly url: string };
}

/** What stands behind the `?` of a request. */
export const queryOf = ({ req: { url } }: Asking): string => {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
};

/** The same, parsed. */
export const parsedQueryOf = (c: Asking & { readonly var: Pick<AppEnv["Variables"], "services"> }): RawQuery =>
  parseQuery(queryOf(c), c.var.services.config.rest.arrayLimit);

/** The query of a request, with what a hook adds to it. */
const askedOf = (c: Context<AppEnv>, type: ContentType): string | Promise<RawQuery> => {
  const text = queryOf(c);
  const added = c.get("added");
  const isOwn = isNarrowed(c.get("services"), type);
  const isFour = isOld(c);
  if (added === undefined && !isOwn && !isFour) return text;
  const parsed = parsedQueryOf(c);
  const query = withAdded(isFour ? translated(c, type, parsed) : parsed, added);
  return isOwn ? limitsOf(requestOf(c), type).then((limits) => limited(query, limits)) : Promise.resolve(query);
};

/** The query of a client, with what the route adds where it says nothing. */
export const withAdded = (query: RawQuery, added: RawQuery = {}): RawQuery => {
  const { filters: _filters, ...rest } = added;
  return limited({ ...rest, ...query }, addedFilters(added));
};

/** Who asks, and what they are served with. */
const requestOf = (c: Context<AppEnv>) => ({ services: c.get("services"), caller: c.get("caller") });

/** Who reads. */
export const readContext = (c: Context<AppEnv>): ReadContext => requestOf(c);

/** The same for requests that write nothing, which replicas may answer. */
const replicaContext = (c: Context<AppEnv>): ReadContext => {
  const { database, config } = c.get("services");
  const session = readerFor(database.reader ?? database, askerOf(c));
  return { ...readContext(c), session, committed: true, budget: new Budget(config) };
};

const sizeOf = (c: Context<AppEnv>): AnswerSize => new AnswerSize(c.get("services").config.limits.answerSize);

const envelope = async (c: Context<AppEnv>, document: RowSet | null, size?: AnswerSize): Promise<string> => {
  if (document === null) throw new NotFoundError();
  const data = jsonOf(await shown(requestOf(c), document), { format: formatOf(c), ...(size ? { size } : {}) });
  return `{"data":${data},"meta":{}}`;
};

/** Reads, unless the answer is kept. Answers that hooks of the application have a part in are read each time. */
const answerRead = async (
  c: Context<AppEnv>,
  type: ContentType,
  read: Asked["read"],
  textOf: (context: ReadContext, query: Query) => Promise<string>,
): Promise<Response> => {
  const services = c.get("services");
  const work = async (state?: State): Promise<string> =>
    textOf({ ...replicaContext(c), state }, await askedOf(c, type));
  const isOwn = services.kept === undefined || c.get("added") !== undefined || hasReadHooks(services, type);
  if (isOwn) return sendRead(c, type.uid, readAnswer(await work()));
  const { uid } = type;
  const asked = { uid, read, documentId: documentIdOf(c), query: queryOf(c), format: formatOf(c) };
  return sendRead(c, uid, await services.kept.of(c.get("caller"), asked, work));
};

/**
 * The envelope of a document that was written; 404 when there is none. It may be of any size: what was stored is not
 * answered with an error.
 */
export const answerDocument = async (
  c: Context<AppEnv>,
  document: RowSet | null,
  status: 200 | 201 = 200,
): Promise<Response> => sendJson(c, await envelope(c, document), status);
