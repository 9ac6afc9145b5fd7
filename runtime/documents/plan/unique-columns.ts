/**
 * Unique attributes that have a column: no two published versions in a locale may have the same value, except null and
 * "". An index enforces it; the lookups only find out which values are taken.
 */
import { getTableName, sql } from "drizzle-orm";
import { remembering } from "../../base/remembering.ts";
import type { Row, Session } from "../../database/database.ts";
import { faultOf } from "../../database/fault.ts";
import { type Bound, sendAll, statementOf } from "../../database/statement.ts";
import { uniqueName } from "../../schema/columns.ts";
import type { ContentType, ScalarAttribute } from "../../schema/content-type.ts";
import type { FieldError } from "../../schema/validation/check.ts";
import { attributesOf, isScalar } from "../attributes.ts";
import { hasStatus, value, type Version } from "../sql/version.ts";
import { fromColumn } from "./values.ts";

/** A query for values that other documents must not have. */
export interface Lookup {
  readonly bound: Bound;
  /** The faults that the found rows mean. */
  faults(rows: readonly Row[]): readonly FieldError[];
}

/** Null and the empty text may repeat. */
export const isExempt = (stored: unknown): boolean => stored === null || stored === undefined || stored === "";

type Unique = readonly [name: string, attribute: ScalarAttribute];

export const uniquesOf = remembering((type: ContentType): readonly Unique[] =>
  attributesOf(type).flatMap(([name, attribute]): Unique[] =>
    isScalar(attribute) && (attribute.unique === true || attribute.type === "uid") ? [[name, attribute]] : [],
  ),
);

export const notUnique = (path: readonly string[], repeated: unknown): FieldError => ({
  path,
  message: "This attribute must be unique",
  name: "ValidationError",
  value: repeated,
});

const faultAt = ([name, attribute]: Unique, { values }: Version): FieldError =>
  notUnique([name], fromColumn(attribute, values[name] ?? null));

const lookupOf = (type: ContentType, documentId: string, unique: Unique, version: Version): Lookup => {
  const [name, { column }] = unique;
  const statement = statementOf(type.table, `unique ${name}`, () => {
    const { table } = type;
    const locale = table.locale ? sql` and ${table.locale} = ${value("locale")}` : sql``;
    return sql`select 1 from ${table} where ${column} = ${value("value")} and ${hasStatus(type, "published")} and ${table.documentId} <> ${value("documentId")}${locale} limit 1`;
  });
  const values = {
    documentId,
    value: version.values[name] ?? null,
    ...(version.locale === null ? {} : { locale: version.locale }),
  };
  return {
    bound: { statement, values },
    faults: (rows) => (rows.length > 0 ? [faultAt(unique, version)] : []),
  };
};

/** Lookups for the new values in a version to be published. Values that `before` has already belong to the document. */
export const columnLookups = (
  type: ContentType,
  documentId: string,
  version: Version,
  before: Version | undefined,
): readonly Lookup[] =>
  uniquesOf(type)
    .filter(([name]) => !isExempt(version.values[name]) && version.values[name] !== before?.values[name])
    .map((unique) => lookupOf(type, documentId, unique, version));

/** Each path once: a value that is taken in several locales is one fault of the body. */
const once = (faults: readonly FieldError[]): readonly FieldError[] =>
  [...new Map(faults.toReversed().map((fault) => [JSON.stringify(fault.path), fault])).values()].toReversed();

/** Sends the lookups, and returns the faults that they found. */
export const findRepeated = async (session: Session, lookups: readonly Lookup[]): Promise<readonly FieldError[]> => {
  const results = await sendAll(
    session,
    lookups.map(({ bound }) => bound),
  );
  return once(lookups.flatMap(({ faults }, index) => faults(results[index] ?? [])));
};

/** The fault for the attribute whose index refused a value. Other repeated values have to be looked up afterwards. */
export const repeatedColumn = (error: unknown, type: ContentType, version: Version): FieldError | undefined => {
  const fault = faultOf(error);
  if (fault?.code !== "23505") return undefined;
  const table = getTableName(type.table);
  const unique = uniquesOf(type).find(([, { column }]) => uniqueName(table, column.name) === fault.constraint);
  return unique && faultAt(unique, version);
};

/** The unique values of versions of one type that are published together. */
export class UniqueValues {
  readonly #type: ContentType;
  readonly #seen = new Set<string>();

  constructor(type: ContentType) {
    this.#type = type;
  }

  /** Adds the values of a version. Returns the faults for those that a version before it has. */
  add(version: Version): readonly FieldError[] {
    if (version.publishedAt === null) return [];
    return uniquesOf(this.#type).flatMap((unique) => {
      const stored = version.values[unique[0]];
      if (isExempt(stored)) return [];
      const key = `${unique[0]} ${version.locale} ${String(stored)}`;
      if (this.#seen.has(key)) return [faultAt(unique, version)];
      this.#seen.add(key);
      return [];
    });
  }
}
