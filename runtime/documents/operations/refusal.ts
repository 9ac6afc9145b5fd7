/**
 * What a client is told when an object that the project added to the database refuses a write: a constraint, a trigger or
 * a policy. Names of constraints and attributes are told, but no text of the database, since it may hold values of the row
 * and of others. The log has the text.
 */
import { getTableName } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import { identifier } from "../../base/identifier.ts";
import type { DatabaseFault } from "../../database/database.ts";
import { faultOf, isNotStored, isRefused, RefusedError } from "../../database/fault.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Registry } from "../../schema/registry.ts";
import { attributesOf } from "../attributes.ts";
import { storedColumns } from "../sql/version.ts";

type Declared = Pick<Registry, "contentTypes">;

const typesOf = ({ contentTypes }: Declared): readonly ContentType[] =>
  Object.values(contentTypes).map(({ type }) => type);

/** The attribute that is stored in a column. */
const attributeIn = (registry: Declared, { table, column }: DatabaseFault): string | undefined => {
  const type = typesOf(registry).find((each) => getTableName(each.table) === table);
  return type && storedColumns(type).find((each) => each.role === "value" && each.column.name === column)?.key;
};

const refusedAt = (path: readonly string[], message: string, constraint: string | undefined, cause: unknown) =>
  new RefusedError(
    message,
    { errors: [{ path, message, name: "ValidationError" }], ...(constraint === undefined ? {} : { constraint }) },
    cause,
  );

/** The error for clients, if the database refused a write for a reason of its own; undefined for other errors. */
export const refusal = (registry: Declared, error: unknown): RefusedError | undefined => {
  if (error instanceof RefusedError) return error;
  if (isNotStored(error)) {
    return refusedAt([], "A trigger or policy of the database has left this out", undefined, error);
  }
  const fault = faultOf(error);
  if (!fault || !isRefused(error)) return undefined;
  const { constraint, column } = fault;
  if (constraint !== undefined) {
    return refusedAt([], `The constraint ${constraint} of the database does not allow this`, constraint, error);
  }
  if (column !== undefined) {
    const name = attributeIn(registry, fault);
    return refusedAt(name === undefined ? [] : [name], `${name ?? column} cannot be null.`, undefined, error);
  }
  return refusedAt([], "A trigger of the database does not allow this", undefined, error);
};

const linkTables = (type: ContentType): readonly PgTable[] =>
  attributesOf(type).flatMap(([, attribute]) => ("link" in attribute ? [attribute.link] : []));

/**
 * Whether a violated foreign key is one of those that relations and files are stored with, so that what they lead to has
 * been deleted meanwhile.
 */
export const isOwnReference = (registry: Declared, { code, table, constraint }: DatabaseFault): boolean =>
  code === "23503" &&
  typesOf(registry)
    .flatMap((type) => [type.table, ...linkTables(type)])
    .some(
      (each) =>
        getTableName(each) === table &&
        getTableConfig(each).foreignKeys.some((key) => identifier(key.getName()) === constraint),
    );
