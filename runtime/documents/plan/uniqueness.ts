/**
 * Unique attributes: no two published versions in a locale may have the same value, in a column or at the same place in
 * components.
 */
import { getTableName, sql } from "drizzle-orm";
import { remembering } from "../../base/remembering.ts";
import { sendAll, type Session, statementOf } from "../../database/database.ts";
import { faultOf } from "../../database/fault.ts";
import { uniqueName } from "../../schema/columns.ts";
import type { ContentType, ScalarAttribute } from "../../schema/content-type.ts";
import { type FieldError, validationError } from "../../schema/validation/check.ts";
import { attributesOf, isScalar } from "../attributes.ts";
import { fieldError } from "../body/storable.ts";
import type { WriteServices } from "../context.ts";
import { hasStatus, inLocale, value, type Version } from "../sql/version.ts";
import { type Lookup, NOT_UNIQUE, type Replacing, uniqueEntries } from "./unique-entries.ts";
import { fromColumn, isNothing } from "./values.ts";

type Unique = readonly [name: string, attribute: ScalarAttribute];

const uniquesOf = remembering((type: ContentType): readonly Unique[] =>
  attributesOf(type).flatMap(([name, attribute]): Unique[] =>
    isScalar(attribute) && (attribute.unique === true || attribute.type === "uid") ? [[name, attribute]] : [],
  ),
);

const faultAt = ([name, attribute]: Unique, { values }: Version): FieldError =>
  fieldError([name], NOT_UNIQUE, fromColumn(attribute, values[name] ?? null));

const lookupOf = (type: ContentType, unique: Unique, version: Version): Lookup => {
  const [name, { column }] = unique;
  const statement = statementOf(type.table, `unique ${name}`, () => {
    const { table } = type;
    return sql`select 1 from ${table} where ${column} = ${value("value")} and ${hasStatus(type, "published")} and ${table.documentId} <> ${value("documentId")}${inLocale(type)} limit 1`;
  });
  const { documentId, locale } = version;
  return {
    bound: { statement, values: { documentId, locale, value: version.values[name] ?? null } },
    faults: (rows) => (rows.length > 0 ? [faultAt(unique, version)] : []),
  };
};

/** Lookups for the new values in a version to be published. Values that `before` already has belong to the document. */
const columnLookups = (type: ContentType, version: Version, before: Version | undefined): readonly Lookup[] =>
  uniquesOf(type)
    .filter(([name]) => !isNothing(version.values[name]) && version.values[name] !== before?.values[name])
    .map((unique) => lookupOf(type, unique, version));

/** Each path once: a value taken in several locales is one fault of the body. */
const once = (faults: readonly FieldError[]): readonly FieldError[] =>
  [...new Map(faults.toReversed().map((fault) => [JSON.stringify(fault.path), fault])).values()].toReversed();

/** Sends the lookups, and returns the faults they found. */
export const findRepeated = async (session: Session, lookups: readonly Lookup[]): Promise<readonly FieldError[]> => {
  const results = await sendAll(
    session,
    lookups.map(({ bound }) => bound),
  );
  return once(lookups.flatMap(({ faults }, index) => faults(results[index] ?? [])));
};

/** The fault for the attribute whose index refused a value. Other duplicates have to be looked up afterwards. */
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

  /** Adds the values of a version. Returns the faults for values that an earlier version has. */
  add(version: Version): readonly FieldError[] {
    if (version.publishedAt === null) return [];
    return uniquesOf(this.#type).flatMap((unique) => {
      const stored = version.values[unique[0]];
      if (isNothing(stored)) return [];
      const key = `${unique[0]} ${version.locale} ${String(stored)}`;
      if (this.#seen.has(key)) return [faultAt(unique, version)];
      this.#seen.add(key);
      return [];
    });
  }
}

export interface Uniqueness {
  /** Lookups that must find nothing before the version is stored. */
  readonly first: readonly Lookup[];
  /** Lookups that find the cause when storing was refused. */
  readonly afterwards: readonly Lookup[];
}

/** For versions without new values. */
export const NOTHING_NEW: Uniqueness = { first: [], afterwards: [] };

/**
 * Checks what must be unique in a version, and in those versions in other locales that copy values from it. `errors` are
 * other faults of the version. If there are any faults, throws the contract's ValidationError with all of them.
 */
export const checkUniqueness = async (
  session: Session,
  { registry }: Pick<WriteServices, "registry">,
  errors: readonly FieldError[],
  replacing: Replacing,
): Promise<Uniqueness> => {
  const { type, version, before } = replacing;
  const places = registry.uniquePlaces(type.uid);
  const { faults, lookups: first } = places.length > 0 ? uniqueEntries(places, replacing) : { faults: [], lookups: [] };
  const all = [...columnLookups(type, version, before), ...first];
  if (errors.length + faults.length > 0)
    throw validationError([...errors, ...faults, ...(await findRepeated(session, all))]);
  return { first, afterwards: all };
};

/** An index refused a unique value, and the transaction has failed. */
export class RepeatedValue extends Error {
  readonly #first: FieldError;
  readonly #lookups: readonly Lookup[];
  readonly #errorOf: typeof validationError;

  constructor(first: FieldError, lookups: readonly Lookup[], errorOf = validationError) {
    super(first.message);
    this.#first = first;
    this.#lookups = lookups;
    this.#errorOf = errorOf;
  }

  /** The contract's error, naming every value that is taken. */
  async explain(session: Session): Promise<Error> {
    const all = await findRepeated(session, this.#lookups);
    return this.#errorOf(all.length > 0 ? all : [this.#first]);
  }
}
