/** Reads users for responses, with the caller's permissions, like other documents. */
import type { Caller } from "../../access/caller.ts";
import { isListed } from "../../access/field-lists.ts";
import type { Reader } from "../../database/database.ts";
import { limited, limitsOf, shown } from "../../documents/read-hooks.ts";
import {
  AnswerSize,
  bareFormat,
  bareList,
  Budget,
  jsonList,
  jsonOf,
  type RawQuery,
  type ReadContext,
  readMany,
  type RowSet,
  unlimited,
} from "../../query/index.ts";
import type { AccountServices } from "../services.ts";
import { userUid } from "./user-store.ts";

/**
 * The context for a client's query, with the same limits as for other types, although parts of the query are ours.
 *
 * @param session the transaction in which the user was just written, and is read without limits
 */
const contextOf = (services: AccountServices, caller: Caller, session?: Reader): ReadContext => ({
  services,
  caller,
  code: true,
  ...(session ? { session } : { limits: unlimited, budget: new Budget(services.config) }),
});

const sizeOf = ({ config }: AccountServices): AnswerSize => new AnswerSize(config.limits.answerSize);

/** A query that populates the role for callers who may see roles. */
export const withRole = ({ fields }: Caller): RawQuery =>
  isListed(fields, userUid, "role", "read") ? { populate: "role" } : {};

/** How a user is read. */
export interface UserRead {
  /** The transaction to read in. Read hooks do not run then: the caller of this function runs them afterwards. */
  readonly session?: Reader;
  /**
   * Whether the user is the response to a login or a write. As for other types, the hook before a read is then skipped:
   * what it hides from visitors would be missing for somebody who just logged in.
   */
  readonly isAnswer?: boolean;
}

/** Finds a user by row id, if the query's filters match; undefined otherwise. */
export const findUser = async (
  services: AccountServices,
  caller: Caller,
  id: number,
  { filters, sort, fields, populate }: RawQuery = {},
  { session, isAnswer = false }: UserRead = {},
): Promise<RowSet | undefined> => {
  const type = services.registry.contentType(userUid);
  const limits = session || isAnswer ? {} : await limitsOf({ services, caller }, type);
  const { documents } = await readMany(contextOf(services, caller, session), type, {
    fields,
    populate,
    sort,
    ...limited({ filters: { $and: filters === undefined ? [{ id }] : [{ id }, filters] } }, limits),
    pagination: { start: 0, limit: 1, withCount: false },
  });
  if (documents.rows.length === 0) return undefined;
  return session ? documents : shown({ services, caller }, documents);
};

/**
 * Finds a user, and returns it as JSON text.
 *
 * @throws ValidationError when the text is longer than a response may be
 */
export const findUserText = async (
  services: AccountServices,
  caller: Caller,
  id: number,
  query?: RawQuery,
  how?: UserRead,
): Promise<string | undefined> => {
  const user = await findUser(services, caller, id, query, how);
  return user && jsonOf(user, { format: bareFormat(services.config), size: sizeOf(services) });
};

/** The JSON text of a user who has just logged in or was just written. */
export const userText = async (
  services: AccountServices,
  caller: Caller,
  id: number,
  query?: RawQuery,
): Promise<string> => {
  const text = await findUserText(services, caller, id, query, { isAnswer: true });
  if (text === undefined) throw new Error("A user that was just read is gone.");
  return text;
};

/** The users that a query finds, as a JSON array. `start` and `limit` are top-level parameters. */
export const usersText = async (services: AccountServices, caller: Caller, query: RawQuery): Promise<string> => {
  const type = services.registry.contentType(userUid);
  const asked = limited(bareList(query), await limitsOf({ services, caller }, type));
  const context = { services, caller, limits: unlimited, budget: new Budget(services.config) };
  const { documents } = await readMany(context, type, asked);
  return jsonList(await shown({ services, caller }, documents), {
    format: bareFormat(services.config),
    size: sizeOf(services),
  });
};

/** The number of users that match a query's filters. The whole query is validated. */
export const countUsers = async (services: AccountServices, caller: Caller, query: RawQuery): Promise<number> => {
  const { filters, sort, fields, populate } = query;
  const type = services.registry.contentType(userUid);
  const { pagination } = await readMany(contextOf(services, caller), type, {
    ...limited({ filters }, await limitsOf({ services, caller }, type)),
    sort,
    fields,
    populate,
    pagination: { start: 0, limit: 1, withCount: true },
  });
  return pagination.total ?? 0;
};
