/** Unique attributes: no two published versions of one locale have the same value. Null and "" may repeat. */
import { getTableName, sql } from "drizzle-orm";
import { uniqueName } from "../columns.ts";
import type { ContentType, ScalarAttribute } from "../content-type.ts";
import type { Session, Value } from "../database/database.ts";
import { faultOf } from "../database/fault.ts";
import { type FieldError, validationError } from "../validation/check.ts";
import { attributesOf, isScalar } from "./attributes.ts";
import { type Bound, sendAll, statementOf } from "./sql/statement.ts";
import { inState, value, type Version } from "./sql/version.ts";
import { fromColumn } from "./values.ts";

type Unique = readonly [name: string, attribute: ScalarAttribute];

const uniquesOf = (type: ContentType): readonly Unique[] =>
  attributesOf(type).flatMap(([name, attribute]): Unique[] =>
    isScalar(attribute) && (attribute.unique === true || attribute.type === "uid") ? [[name, attribute]] : [],
  );

const isExempt = (stored: Value | undefined): boolean => stored === null || stored === undefined || stored === "";

const notUnique = ([name, attribute]: Unique, stored: Value): FieldError => ({
  path: [name],
  message: "This attribute must be unique",
  name: "ValidationError",
  value: fromColumn(attribute, stored),
});

const lookup = (type: ContentType, documentId: string, [name, { column }]: Unique, version: Version): Bound => ({
  statement: statementOf(type.table, `unique ${name}`, () => {
    const { table } = type;
    const locale = table.locale ? sql` and ${table.locale} = ${value("locale")}` : sql``;
    return sql`select 1 from ${table} where ${column} = ${value("value")} and ${inState(type, "published")} and ${table.documentId} <> ${value("documentId")}${locale} limit 1`;
  }),
  values: {
    documentId,
    value: version.values[name] ?? null,
    ...(version.locale === null ? {} : { locale: version.locale }),
  },
});

/** What is not unique in a version that is to be published. Values that `before` has already are not looked up. */
export const findRepeated = async (
  session: Session,
  type: ContentType,
  documentId: string,
  version: Version,
  before: Version | undefined,
): Promise<readonly FieldError[]> => {
  const asked = uniquesOf(type).filter(
    ([name]) => !isExempt(version.values[name]) && version.values[name] !== before?.values[name],
  );
  const results = await sendAll(
    session,
    asked.map((unique) => lookup(type, documentId, unique, version)),
  );
  return asked.flatMap((unique, index) =>
    (results[index]?.length ?? 0) > 0 ? [notUnique(unique, version.values[unique[0]] ?? null)] : [],
  );
};

/** The contract's error for a value that another writer took first; undefined when the failure is another one. */
export const uniqueViolation = (error: unknown, type: ContentType, version: Version): Error | undefined => {
  const fault = faultOf(error);
  if (fault?.code !== "23505") return undefined;
  const table = getTableName(type.table);
  const unique = uniquesOf(type).find(([, { column }]) => uniqueName(table, column.name) === fault.constraint);
  return unique && validationError([notUnique(unique, version.values[unique[0]] ?? null)]);
};
