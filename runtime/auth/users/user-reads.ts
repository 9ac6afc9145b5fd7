/** Users as answers show them, read like any other document with the permissions of the caller. */
import { type RawQuery, type ReadContext, readMany } from "../../query/index.ts";
import type { Services } from "../../services.ts";
import type { Caller } from "../caller.ts";
import { isListed } from "../field-lists.ts";
import { userUid } from "./user-table.ts";

/** Lists of users are as long as they are. */
const limits = { defaultLimit: Number.MAX_SAFE_INTEGER, maxLimit: Number.MAX_SAFE_INTEGER, withCount: true };

const contextOf = (services: Services, caller: Caller): ReadContext => ({ services, caller, code: true, limits });

/** A query that shows the role of a user to callers who may see roles. */
export const withRole = ({ fields }: Caller): RawQuery =>
  isListed(fields, userUid, "role") ? { populate: "role" } : {};

/** One user by the id of the row, as JSON text; undefined when there is none. */
export const findUserText = async (
  services: Services,
  caller: Caller,
  id: number,
  { fields, populate }: RawQuery = {},
): Promise<string | undefined> => {
  const { json } = await readMany(contextOf(services, caller), services.registry.contentType(userUid), {
    fields,
    populate,
    filters: { id },
    pagination: { start: 0, limit: 1, withCount: false },
  });
  return json === "[]" ? undefined : json.slice(1, -1);
};

/** The JSON text of a user who is known to exist. */
export const userText = async (services: Services, caller: Caller, id: number, query?: RawQuery): Promise<string> => {
  const text = await findUserText(services, caller, id, query);
  if (text === undefined) throw new Error("A user that was just read is gone.");
  return text;
};

/** The users that a query asks for, as the text of a JSON array. `start` and `limit` stand at the top. */
export const usersText = async (services: Services, caller: Caller, query: RawQuery): Promise<string> => {
  const { start = 0, limit = "-1", pagination: _ignored, ...rest } = query;
  const page = { start, limit: limit === "-1" ? -1 : limit, withCount: false };
  const type = services.registry.contentType(userUid);
  return (await readMany(contextOf(services, caller), type, { ...rest, pagination: page })).json;
};

/** How many users a query asks for. */
export const countUsers = async (services: Services, caller: Caller, { filters, _q }: RawQuery): Promise<number> => {
  const { pagination } = await readMany(contextOf(services, caller), services.registry.contentType(userUid), {
    filters,
    _q,
    fields: ["id"],
    pagination: { start: 0, limit: 1, withCount: true },
  });
  return pagination.total ?? 0;
};
