/** Documents that are written because a query finds them. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Session } from "../../database/database.ts";
import { objectsOf, type RawQuery, readMany, unlimited } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { OperationContext } from "./context.ts";

const ALL = { start: 0, limit: unlimited.maxLimit, withCount: false };

/** The names of a query that say which documents are meant. */
const NAMES = ["locale", "status", "filters", "publicationFilter", "_q"];

/**
 * What tells which documents a write of many is about.
 *
 * @throws ValidationError where nothing does: `{}` means all of them, and nothing is a mistake
 */
export const matchOf = (query: RawQuery): RawQuery => {
  if (!isRecord(query["filters"])) {
    throw new ValidationError("filters are needed: what is written to all documents says so by `filters: {}`");
  }
  return Object.fromEntries(NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])));
};

/** The documents that a query finds, in its order. */
export const findIds = async (
  context: OperationContext,
  session: Session,
  type: ContentType,
  match: RawQuery,
): Promise<ReadonlySet<string>> => {
  const query = { ...match, fields: ["documentId"], pagination: ALL };
  const { documents } = await readMany({ ...context, session, limits: unlimited }, type, query);
  return new Set(objectsOf(documents).map(({ documentId }) => String(documentId)));
};
