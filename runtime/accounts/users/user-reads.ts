/** Users as answers show them, read like any other document with the permissions of the caller. */
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
import { userUid } from "./user-table.ts";

/** What a client's query is read with: as much as any other may ask for, however it is put together with ours. */
const contextOf = (services: AccountServices, caller: Caller): ReadContext => ({
  services,
  caller,
  code: true,
  limits: unlimited,
  budget: new Budget(services.config),
});

/** In a transaction, which shows what was written, as much is read as there is. */
const writtenContextOf = (services: AccountServices, caller: Caller, session: Reader): ReadContext => ({
  services,
  caller,
  session,
  code: true,
});

const sizeOf = ({ config }: AccountServices): AnswerSize => new AnswerSize(config.limits.answerSize);

/** A query that shows the role of a user to callers who may see roles. */
export const withRole = ({ fields }: Caller): RawQuery =>
  isListed(fields, userUid, "role") ? { populate: "role" } : {};

/**
 * One user by the id of the row, if it meets the filters of the query; undefined when there is none. In a transaction, what
 * is shown of the user is for the caller to find out behind it.
 */
export const findUser = async (
  services: AccountServices,
  caller: Caller,
  id: number,
  { filters, sort, fields, populate }: RawQuery = {},
  session?: Reader,
): Promise<RowSet | undefined> => {
  const type = services.registry.contentType(userUid);
  const limits = session ? {} : await limitsOf({ services, caller }, type);
  const context = session ? writtenContextOf(services, caller, session) : contextOf(services, caller);
  const { documents } = await readMany(context, type, {
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
 * The same as JSON text.
 *
 * @throws ValidationError when it becomes longer than an answer may
 */
export const findUserText = async (
  services: AccountServices,
  caller: Caller,
  id: number,
  query?: RawQuery,
): Promise<string | undefined> => {
  const user = await findUser(services, caller, id, query);
  return user && jsonOf(user, { format: bareFormat(services.config), size: sizeOf(services) });
};

/** The JSON text of a user who is known to exist. */
export const userText = async (
  services: AccountServices,
  caller: Caller,
  id: number,
  query?: RawQuery,
): Promise<string> => {
  const text = await findUserText(services, caller, id, query);
  if (text === undefined) throw new Error("A user that was just read is gone.");
  return text;
};

/** The users that a query asks for, as the text of a JSON array. `start` and `limit` stand at the top. */
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

/** How many users the filters of a query find. All of the query is checked. */
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
