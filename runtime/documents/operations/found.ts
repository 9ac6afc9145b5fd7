/** Finds the documents for writes by query. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Session } from "../../database/database.ts";
import { objectsOf, type RawQuery, readMany, unlimited } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { OperationContext } from "./context.ts";

const ALL = { start: 0, limit: unlimited.maxLimit, withCount: false };

/**
 * Refuses parameters that a write of many documents does not have: code that means to write some of them
 * (`pagination`, `sort`) would write all. Calls are not always type-checked.
 *
 * @throws ValidationError naming the parameter
 */
export const checkParameters = (query: RawQuery, names: readonly string[]): void => {
  const unknown = Object.keys(query).find((name) => query[name] !== undefined && !names.includes(name));
  if (unknown !== undefined) {
    throw new ValidationError(`Invalid parameter ${unknown}. The parameters are ${names.join(", ")}`);
  }
};

/** The parameters that determine which documents a query finds. */
const NAMES = ["locale", "status", "filters", "publicationFilter", "_q"];

/**
 * The parameters that determine which documents a write by query changes.
 *
 * @throws ValidationError if `filters` is missing, which may be a mistake (`{}` explicitly means all documents), or for
 *   other parameters
 */
export const matchOf = (query: RawQuery): RawQuery => {
  checkParameters(query, NAMES);
  if (!isRecord(query["filters"])) {
    throw new ValidationError("filters are needed: what is written to all documents says so by `filters: {}`");
  }
  return Object.fromEntries(NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])));
};

/** The ids of the documents that a query finds, in its order. */
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
