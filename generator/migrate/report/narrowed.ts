import { countInside, type EntryPlace } from "../components/entry-places.ts";
/** How much of what has less room from a migration on does not fit: statements that count, from the outlines on both sides. */
import { sqlTypeOf } from "../convert.ts";
import { isMany } from "../names/meaning.ts";
import type { AttributeOutline, ContentTypeOutline } from "../snapshot.ts";
import { quote } from "../sql.ts";

export interface Narrowed {
  /** What does not fit: `values of pages.rating beyond 2147483647`. */
  readonly what: string;
  readonly sql: string;
  /** What to do, where the migration stops at it. */
  readonly stops?: string;
}

interface Limit {
  /** How the values that do not fit are told from others. */
  readonly which: string;
  readonly condition: (column: string) => string;
  readonly stops?: string;
}

const CHANGE = "change them first";
const isFraction = (column: string): string => `${column} <> round(${column}::numeric)`;

const LIMITS: ReadonlyMap<string, Limit> = new Map<string, Limit>([
  [
    "bigint>integer",
    {
      which: "beyond 2147483647",
      condition: (column) => `${column} not between -2147483648 and 2147483647`,
      stops: CHANGE,
    },
  ],
  ...["integer", "bigint"].map((from): [string, Limit] => [
    `${from}>numeric(10, 2)`,
    {
      which: "of more than eight digits",
      condition: (column) => `abs(${column}::numeric) >= 100000000`,
      stops: CHANGE,
    },
  ]),
  [
    "bigint>double precision",
    {
      which: "of which the last digits go",
      condition: (column) => `${column}::double precision::numeric <> ${column}`,
    },
  ],
  [
    "double precision>numeric(10, 2)",
    {
      which: "of more than two digits after the point",
      condition: (column) => `round(${column}::numeric, 2) <> ${column}::numeric`,
    },
  ],
  ...["double precision>integer", "double precision>bigint", "numeric(10, 2)>integer", "numeric(10, 2)>bigint"].map(
    (change): [string, Limit] => [change, { which: "with a fraction, which is rounded", condition: isFraction }],
  ),
  [
    "timestamp(3)>date",
    { which: "of which the time of day goes", condition: (column) => `${column} <> ${column}::date` },
  ],
  ["timestamp(3)>time(3)", { which: "of which the date goes", condition: (column) => `${column} is not null` }],
]);

const lengthOf = (type: string): number | undefined => {
  const length = /^varchar\((\d+)\)$/.exec(type)?.[1];
  return length === undefined ? undefined : Number(length);
};

const limitOf = (from: string, to: string): Limit | undefined => {
  const longest = lengthOf(to);
  if (from !== "text" || longest === undefined) return LIMITS.get(`${from}>${to}`);
  return {
    which: `of more than ${longest} characters`,
    condition: (column) => `char_length(${column}) > ${longest}`,
    stops: "shorten them first",
  };
};

const ofScalar = (
  table: string,
  name: string,
  before: AttributeOutline,
  after: AttributeOutline,
): readonly Narrowed[] => {
  if (before.kind !== "scalar" || after.kind !== "scalar") return [];
  const limit = limitOf(sqlTypeOf(before.type), sqlTypeOf(after.type));
  if (limit === undefined) return [];
  const { which, condition, stops } = limit;
  const sql = `select count(*) from ${quote(table)} where ${condition(quote(before.column))}`;
  return [{ what: `values of ${table}.${name} ${which}`, sql, ...(stops === undefined ? {} : { stops }) }];
};

const beyondFirst = (places: readonly EntryPlace[], end: string): string => countInside(places, `${end}[1 to last]`);

/** Of lists that become a single value only the first is kept. */
const ofList = (
  table: string,
  name: string,
  before: AttributeOutline,
  after: AttributeOutline,
): readonly Narrowed[] => {
  if (before.kind !== after.kind || !isMany(before) || isMany(after)) return [];
  if ("link" in before && before.link !== undefined) {
    const sql = `select count(*) - count(distinct "version_id") from ${quote(before.link)}`;
    return [{ what: `links of ${table}.${name} beyond the first of each`, sql }];
  }
  if (before.kind !== "component") return [];
  const sql = beyondFirst([{ table, column: before.column, path: "$" }], "");
  return [{ what: `entries of ${table}.${name} beyond the first of each`, sql }];
};

/** Of an attribute of a type. */
export const narrowedIn = (
  { table }: ContentTypeOutline,
  name: string,
  before: AttributeOutline,
  after: AttributeOutline,
): readonly Narrowed[] => [...ofScalar(table, name, before, after), ...ofList(table, name, before, after)];

/** Of a field of a component, which has entries at these places. */
export const narrowedInside = (
  uid: string,
  places: readonly EntryPlace[],
  name: string,
  before: AttributeOutline,
  after: AttributeOutline,
): readonly Narrowed[] => {
  if (before.kind !== after.kind || !isMany(before) || isMany(after)) return [];
  return [
    {
      what: `entries of ${uid}.${name} beyond the first of each`,
      sql: beyondFirst(places, `.${JSON.stringify(name)}`),
    },
  ];
};
