/** Unique attributes in components: their values in a version, and the lookups for those of other documents. */
import { sql, type SQL } from "drizzle-orm";
import { type Bound, type Row, statementOf } from "../../database/database.ts";
import { nameLiteral } from "../../database/name-literal.ts";
import type { ContentType, Json } from "../../schema/content-type.ts";
import type { Step, UniquePlace } from "../../schema/registry.ts";
import type { FieldError } from "../../schema/validation/check.ts";
import { holds } from "../../schema/validation/condition.ts";
import { attributeOf, attributesOf, isComponent, isCopiedToLocales } from "../attributes.ts";
import { fieldError } from "../body/storable.ts";
import { lockName } from "../sql/lock.ts";
import { hasStatus, list, type LoadedVersion, value, type Version } from "../sql/version.ts";
import { type Entry, isEntry } from "./entries.ts";
import { isNothing } from "./values.ts";

/** The message for a value that another document has, or another entry. */
export const NOT_UNIQUE = "This attribute must be unique";

/** A query for values that other documents must not have. */
export interface Lookup {
  readonly bound: Bound;
  /** The faults that the found rows mean. */
  faults(rows: readonly Row[]): readonly FieldError[];
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
    if (isNothing(found) || (condition !== undefined && !holds(condition, entry))) return [];
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
    return wanted.filter(({ text }) => taken.has(text)).map((each) => fieldError(each.path, NOT_UNIQUE, each.value));
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

/** The components in a version that is to replace `before`: its own duplicates, and the lookups to send. */
const entriesOf = (
  places: readonly UniquePlace[],
  type: ContentType,
  version: Version,
  before: Version | undefined,
): UniqueEntries => {
  const faults: FieldError[] = [];
  const lookups: Lookup[] = [];
  for (const place of places) {
    const found = occurrences(version, place);
    const isRepeated = ({ text }: Occurrence) => found.filter((other) => other.text === text).length > 1;
    faults.push(...found.filter(isRepeated).map((each) => fieldError(each.path, NOT_UNIQUE, each.value)));
    const own = new Set(before ? occurrences(before, place).map(({ text }) => text) : []);
    const wanted = found.filter((each) => !isRepeated(each) && !own.has(each.text));
    if (wanted.length > 0) lookups.push(entriesLookup(type, version, place, wanted));
  }
  return { faults, lookups: lookups.length > 0 ? [lockValues(type), ...lookups] : [] };
};

/** The published version in another locale, with the components that it copies from `version`. */
const follower = (type: ContentType, version: Version, other: LoadedVersion): Version => {
  const shared = attributesOf(type).flatMap(([name, attribute]) =>
    isComponent(attribute) && isCopiedToLocales(attribute) ? [[name, version.values[name] ?? null] as const] : [],
  );
  return { ...other, values: { ...other.values, ...Object.fromEntries(shared) } };
};

/** A version, and what it replaces. */
export interface Replacing {
  readonly type: ContentType;
  readonly version: Version;
  readonly before: Version | undefined;
  /** All versions of the document. */
  readonly versions: readonly LoadedVersion[];
}

/** The same for a version, with lookups also for those published in other locales that copy its components. */
export const uniqueEntries = (
  places: readonly UniquePlace[],
  { type, version, before, versions }: Replacing,
): UniqueEntries => {
  const { faults, lookups } = entriesOf(places, type, version, before);
  const elsewhere = versions
    .filter(({ status, locale }) => status === "published" && locale !== version.locale)
    .flatMap((other) => entriesOf(places, type, follower(type, version, other), other).lookups);
  return { faults, lookups: [...lookups, ...elsewhere] };
};
