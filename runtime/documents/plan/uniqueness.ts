/** Unique attributes: no two published versions in a locale may have the same value, in a column or at the same place in components. */
import { getTableName, sql, type SQL } from "drizzle-orm";
import { remembering } from "../../base/remembering.ts";
import { type Bound, type Row, sendAll, type Session, statementOf } from "../../database/database.ts";
import { faultOf } from "../../database/fault.ts";
import { nameLiteral } from "../../database/name-literal.ts";
import { uniqueName } from "../../schema/columns.ts";
import type { ContentType, ScalarAttribute, Json } from "../../schema/content-type.ts";
import type { Step, UniquePlace } from "../../schema/registry.ts";
import { type FieldError, validationError } from "../../schema/validation/check.ts";
import { holds } from "../../schema/validation/condition.ts";
import { attributeOf, attributesOf, isComponent, isCopiedToLocales, isScalar } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import { lockName } from "../sql/lock.ts";
import { hasStatus, inLocale, list, type LoadedVersion, value, type Version } from "../sql/version.ts";
import { type Entry, isEntry } from "./entries.ts";
import { fromColumn } from "./values.ts";

/** A query for values that other documents must not have. */
export interface Lookup {
  readonly bound: Bound;
  /** The faults that the found rows mean. */
  faults(rows: readonly Row[]): readonly FieldError[];
}

/** Null and the empty text may occur repeatedly. */
export const isExempt = (stored: unknown): boolean => stored === null || stored === undefined || stored === "";

type Unique = readonly [name: string, attribute: ScalarAttribute];

const uniquesOf = remembering((type: ContentType): readonly Unique[] =>
  attributesOf(type).flatMap(([name, attribute]): Unique[] =>
    isScalar(attribute) && (attribute.unique === true || attribute.type === "uid") ? [[name, attribute]] : [],
  ),
);

const notUnique = (path: readonly string[], repeated: unknown): FieldError => ({
  path,
  message: "This attribute must be unique",
  name: "ValidationError",
  value: repeated,
});

const faultAt = ([name, attribute]: Unique, { values }: Version): FieldError =>
  notUnique([name], fromColumn(attribute, values[name] ?? null));

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
    .filter(([name]) => !isExempt(version.values[name]) && version.values[name] !== before?.values[name])
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
      if (isExempt(stored)) return [];
      const key = `${unique[0]} ${version.locale} ${String(stored)}`;
      if (this.#seen.has(key)) return [faultAt(unique, version)];
      this.#seen.add(key);
      return [];
    });
  }
}

/** A value, and its path. */
interface Occurrence {
  readonly path: readonly string[];
  readonly value: Json;
  /** The stored JSON text, by which values are compared. */
  readonly text: string;
}

/** An entry (or the version itself) that was reached, and its path. */
interface Reached {
  readonly entry: Entry;
  readonly path: readonly string[];
}

const below = ({ entry: owner, path }: Reached, { name, component, kind }: Step): readonly Reached[] => {
  const held = owner[name] ?? null;
  if (kind === "single") return isEntry(held) ? [{ entry: held, path: [...path, name] }] : [];
  const entries: readonly Json[] = Array.isArray(held) ? held : [];
  return entries.flatMap((entry, index) =>
    isEntry(entry) && (kind === "list" || entry["__component"] === component)
      ? [{ entry, path: [...path, name, String(index)] }]
      : [],
  );
};

/** The components of a version, as entries of one object. */
const entriesIn = ({ values }: Version, { name }: Step): Entry => {
  const stored = values[name];
  return { [name]: typeof stored === "string" ? JSON.parse(stored) : null };
};

const occurrences = (version: Version, { steps, name, condition }: UniquePlace): readonly Occurrence[] => {
  const start: readonly Reached[] = [{ entry: entriesIn(version, steps[0]), path: [] }];
  const reached = steps.reduce((owners, step) => owners.flatMap((owner) => below(owner, step)), start);
  return reached.flatMap(({ entry, path }) => {
    const found = entry[name] ?? null;
    if (isExempt(found) || (condition !== undefined && !holds(condition, entry))) return [];
    return [{ path: [...path, name], value: found, text: JSON.stringify(found) }];
  });
};

/** Selects which of `texts` other published versions have at a place. */
const selectTexts = (type: ContentType, { steps, name }: UniquePlace): SQL => {
  const { table } = type;
  const from: SQL[] = [sql`${table}`];
  const where: SQL[] = [hasStatus(type, "published"), sql`${table.documentId} <> ${value("documentId")}`];
  if (table.locale) where.push(sql`${table.locale} = ${value("locale")}`);
  let entry: SQL | undefined;
  for (const [index, step] of steps.entries()) {
    const attribute = attributeOf(type, step.name);
    const held = entry
      ? sql`(${entry} -> ${nameLiteral(step.name)})`
      : sql`${attribute && "column" in attribute ? attribute.column : sql`null`}`;
    if (step.kind === "single") {
      entry = held;
      continue;
    }
    const alias = sql.identifier(`entries_${index}`);
    from.push(sql`json_array_elements(case when json_typeof(${held}) = 'array' then ${held} end) as ${alias}(entry)`);
    entry = sql`${alias}.entry`;
    if (step.kind === "zone") where.push(sql`${entry} ->> '__component' = ${nameLiteral(step.component)}`);
  }
  const text = sql`(${entry} -> ${nameLiteral(name)})::text`;
  return sql`select distinct ${text} from ${list(from)} where ${sql.join(where, sql` and `)} and ${text} = any(${value("texts")}::text[])`;
};

const placeKey = ({ steps, name }: UniquePlace): string =>
  [...steps.map((step) => `${step.name}(${step.component})`), name].join(".");

const entriesLookup = (
  type: ContentType,
  { documentId, locale }: Version,
  place: UniquePlace,
  wanted: readonly Occurrence[],
): Lookup => ({
  bound: {
    statement: statementOf(type.table, `unique ${placeKey(place)}`, () => selectTexts(type, place)),
    values: { documentId, locale, texts: wanted.map(({ text }) => text) },
  },
  faults(rows) {
    const taken = new Set(rows.map(([text]) => text));
    return wanted.filter(({ text }) => taken.has(text)).map((each) => notUnique(each.path, each.value));
  },
});

/** A lock that makes writers of new values in a type wait for each other, since no index can refuse duplicates here. */
const lockValues = ({ uid }: ContentType): Lookup => ({
  bound: lockName(`unique values of ${uid}`),
  faults: () => [],
});

interface UniqueEntries {
  /** Values that occur more than once in the version itself. */
  readonly faults: readonly FieldError[];
  /** One lookup for each place with new values. */
  readonly lookups: readonly Lookup[];
}

/** Checks the components in a version that is to replace `before`: its own duplicates, and the lookups to send. */
const uniqueEntries = (
  services: WriteServices,
  type: ContentType,
  version: Version,
  before: Version | undefined,
): UniqueEntries => {
  const faults: FieldError[] = [];
  const lookups: Lookup[] = [];
  for (const place of services.registry.uniquePlaces(type.uid)) {
    const found = occurrences(version, place);
    const isRepeated = ({ text }: Occurrence) => found.filter((other) => other.text === text).length > 1;
    faults.push(...found.filter(isRepeated).map((each) => notUnique(each.path, each.value)));
    const own = new Set(before ? occurrences(before, place).map(({ text }) => text) : []);
    const wanted = found.filter((each) => !isRepeated(each) && !own.has(each.text));
    if (wanted.length > 0) lookups.push(entriesLookup(type, version, place, wanted));
  }
  return { faults, lookups: lookups.length > 0 ? [lockValues(type), ...lookups] : [] };
};

export interface Uniqueness {
  /** Lookups that must find nothing before the version is stored. */
  readonly first: readonly Lookup[];
  /** Lookups that find the cause when storing was refused. */
  readonly afterwards: readonly Lookup[];
}

/** For versions without new values. */
export const NOTHING_NEW: Uniqueness = { first: [], afterwards: [] };

/** The published version in another locale, with the components that it copies from `version`. */
const follower = (type: ContentType, version: Version, other: LoadedVersion): Version => {
  const shared = attributesOf(type).flatMap(([name, attribute]) =>
    isComponent(attribute) && isCopiedToLocales(attribute) ? [[name, version.values[name] ?? null] as const] : [],
  );
  return { ...other, values: { ...other.values, ...Object.fromEntries(shared) } };
};

/**
 * Checks what must be unique in `version`, which replaces `before`, and in those of `versions` that copy values from
 * it. `errors` are other faults of the version. If there are any faults, throws the contract's ValidationError with all
 * of them.
 */
export const checkUniqueness = async (
  session: Session,
  services: WriteServices,
  errors: readonly FieldError[],
  {
    type,
    version,
    before,
    versions,
  }: {
    readonly type: ContentType;
    readonly version: Version;
    readonly before: Version | undefined;
    /** All versions of the document. */
    readonly versions: readonly LoadedVersion[];
  },
): Promise<Uniqueness> => {
  const columns = columnLookups(type, version, before);
  const entries = uniqueEntries(services, type, version, before);
  const elsewhere = versions
    .filter(({ status, locale }) => status === "published" && locale !== version.locale)
    .flatMap((other) => uniqueEntries(services, type, follower(type, version, other), other).lookups);
  const first = [...entries.lookups, ...elsewhere];
  const all = [...columns, ...first];
  if (errors.length + entries.faults.length > 0)
    throw validationError([...errors, ...entries.faults, ...(await findRepeated(session, all))]);
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
