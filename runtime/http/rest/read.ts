/** Handlers of the reading routes. */
import type { Context, Handler } from "hono";
import { NotFoundError } from "../../base/errors.ts";
import { jsonList, jsonOf, type ReadContext, readMany, readOne, readSingle, type RowSet } from "../../query/index.ts";
import type { ContentType, DocumentFields } from "../../schema/content-type.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";

/** GET of a collection: a page of documents. */
export const find =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) => {
    const { documents, pagination } = await readMany(replicaContext(c), type, queryOf(c));
    const json = jsonList(documents, isNested(c));
    return sendJson(c, `{"data":${json},"meta":{"pagination":${JSON.stringify(pagination)}}}`);
  };

/** GET of one document by its documentId. */
export const findOne =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) => {
    const documentId = c.req.param("documentId") ?? "";
    return answerDocument(c, await readOne(replicaContext(c), type, documentId, queryOf(c)));
  };

/** GET of a single type. */
export const findSingle =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) =>
    answerDocument(c, await readSingle(replicaContext(c), type, queryOf(c)));

/** What stands behind the `?` of a request. */
export const queryOf = (c: Context<AppEnv>): string => {
  const { url } = c.req;
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
};

/** Who reads. */
export const readContext = (c: Context<AppEnv>): ReadContext => ({
  services: c.get("services"),
  caller: c.get("caller"),
});

/** Whether the client asks for the nested response format. */
const isNested = (c: Context<AppEnv>): boolean => c.req.header("strapi-response-format") === "v4";

/** The same for requests that write nothing, which replicas may answer. */
const replicaContext = (c: Context<AppEnv>): ReadContext => ({
  ...readContext(c),
  session: c.get("services").database.reader,
});

/** The envelope of one document; 404 when there is none. */
export const answerDocument = (c: Context<AppEnv>, document: RowSet | null, status: 200 | 201 = 200): Response => {
  if (document === null) throw new NotFoundError();
  return sendJson(c, `{"data":${jsonOf(document, isNested(c))},"meta":{}}`, status);
};
