/** The query language, evaluated over content in memory by walking objects. */
import { articleNode, authorNode, categoryNode, type Node, type Scalar } from "./nodes.ts";
import type { Data } from "./random-data.ts";

export type Filter = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly filters: Filter;
  readonly sort: readonly string[];
  readonly populate: Readonly<Record<string, PopulateOptions | undefined>>;
  readonly status: string;
  readonly locale: string;
  /** The locale that stands in for a missing one. */
  readonly fallback?: string | undefined;
  /** What the title has to contain. */
  readonly _q?: string | undefined;
}

export interface PopulateOptions {
  readonly fields: readonly string[];
  readonly filters?: Filter;
  readonly sort?: string;
  readonly populate?: Readonly<Record<string, PopulateOptions>>;
}

/** What stands in for the end of a relation that leads nowhere. */
const nothing: Node = { id: 0, scalars: {}, follow: () => [] };

/** True, false, or null for unknown, as comparisons with null are. */
type Truth = boolean | null;

const negate = (truth: Truth): Truth => (truth === null ? null : !truth);

const both = (left: Truth, right: Truth): Truth => {
  if (left === false || right === false) return false;
  return left === null || right === null ? null : true;
};

const either = (left: Truth, right: Truth): Truth => negate(both(negate(left), negate(right)));

/** Every truth that the filter can have for some choice of related nodes. */
const outcomes = (filter: Filter, node: Node): Set<Truth> =>
  Object.entries(filter)
    .map(([key, value]) => outcomesOf(key, value, node))
    .reduce((left, right) => combine(left, right, both), new Set<Truth>([true]));

const combine = (left: Set<Truth>, right: Set<Truth>, join: (left: Truth, right: Truth) => Truth): Set<Truth> =>
  new Set([...left].flatMap((one) => [...right].map((other) => join(one, other))));

const isFilter = (value: unknown): value is Filter =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const filtersIn = (value: unknown): Filter[] => (Array.isArray(value) ? value.filter(isFilter) : []);

const RELATED = new Set([
  "author",
  "boss",
  "deputy",
  "categories",
  "articles",
  "related",
  "seo",
  "links",
  "owner",
  "topics",
]);

/** Whether a zone has the entries that a filter asks for: one for each component that it names. */
const inZone = (filter: Filter, entries: readonly Node[]): boolean =>
  Object.entries(filter).every(([key, value]) => {
    if (key === "$not") return isFilter(value) && !inZone(value, entries);
    if (key === "$and") return filtersIn(value).every((item) => inZone(item, entries));
    if (key === "$or") return filtersIn(value).some((item) => inZone(item, entries));
    const uid = key === "__component" ? value : key;
    return entries.some(
      (entry) => entry.scalars["component"] === uid && (!isFilter(value) || outcomes(value, entry).has(true)),
    );
  });

const outcomesOf = (key: string, value: unknown, node: Node): Set<Truth> => {
  if (key === "$not") return new Set(isFilter(value) ? [...outcomes(value, node)].map(negate) : []);
  if (key === "$and" || key === "$or") {
    const join = key === "$and" ? both : either;
    const start = new Set<Truth>([key === "$and"]);
    return filtersIn(value).reduce((left, item) => combine(left, outcomes(item, node), join), start);
  }
  if (key === "sections" && isFilter(value)) return new Set([inZone(value, node.follow(key))]);
  if (RELATED.has(key) && isFilter(value)) {
    const inner: Filter = "$null" in value ? { id: value } : value;
    const found = node.follow(key);
    const reached = found.length === 0 ? [nothing] : found;
    return new Set(reached.flatMap((each) => [...outcomes(inner, each)]));
  }
  return new Set([isFilter(value) ? operators(value, node.scalars[key] ?? null) : null]);
};

const operators = (asked: Filter, value: Scalar): Truth =>
  Object.entries(asked)
    .map(([operator, operand]) => compare(operator, operand, value))
    .reduce(both, true);

const compare = (operator: string, operand: unknown, value: Scalar): Truth => {
  if (operator === "$null") return (value === null) === operand;
  if (operator === "$notNull") return (value !== null) === operand;
  if (operator === "$not") return isFilter(operand) ? negate(operators(operand, value)) : null;
  if (value === null) return null;
  const own = String(value);
  const other = String(operand);
  switch (operator) {
    case "$eq":
      return value === operand;
    case "$ne":
      return value !== operand;
    case "$eqi":
      return own.toLowerCase() === other.toLowerCase();
    case "$contains":
      return own.includes(other);
    case "$notContains":
      return !own.includes(other);
    case "$containsi":
      return own.toLowerCase().includes(other.toLowerCase());
    case "$startsWith":
      return own.startsWith(other);
    case "$endsWithi":
      return own.toLowerCase().endsWith(other.toLowerCase());
    case "$in":
      return Array.isArray(operand) && operand.includes(value);
    case "$notIn":
      return Array.isArray(operand) && !operand.includes(value);
    case "$between":
      return Array.isArray(operand) && order(value, operand[0]) >= 0 && order(value, operand[1]) <= 0;
    case "$gt":
      return order(value, operand) > 0;
    case "$gte":
      return order(value, operand) >= 0;
    case "$lt":
      return order(value, operand) < 0;
    default:
      return order(value, operand) <= 0;
  }
};

/** By number, or by code point. */
const order = (left: Scalar, right: unknown): number => {
  if (typeof left === "number") return left - Number(right);
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
};

const direct = (left: Scalar, right: Scalar, descending: boolean): number => {
  if (left === right) return 0;
  if (left === null || right === null) return (left === null) === descending ? -1 : 1;
  return descending ? order(right, left) : order(left, right);
};

const matches = (filter: Filter | undefined, node: Node): boolean =>
  filter === undefined || outcomes(filter, node).has(true);

/** The value at a path; of several, the first in the wanted direction, in which nulls are largest. */
const valueAt = (node: Node, [name = "", ...rest]: readonly string[], descending: boolean): Scalar => {
  if (rest.length === 0) return node.scalars[name] ?? null;
  const values = node
    .follow(name)
    .map((each) => valueAt(each, rest, descending))
    .toSorted((left, right) => direct(left, right, descending));
  return values[0] ?? null;
};

const sorted = (nodes: readonly Node[], keys: readonly string[]): Node[] =>
  nodes.toSorted((left, right) => {
    for (const key of keys) {
      const [path = "", word = "asc"] = key.split(":");
      const names = path.split(".");
      const descending = word === "desc";
      const one = valueAt(left, names, descending);
      const other = valueAt(right, names, descending);
      if (one !== other) return direct(one, other, descending);
    }
    return left.id - right.id;
  });

type Shown = Record<string, unknown>;

const show = (node: Node, fields: readonly string[], populate: Asked["populate"] = {}): Shown => {
  const shown: Shown = { id: node.id, documentId: node.scalars["documentId"] };
  for (const field of fields) shown[field] = node.scalars[field];
  for (const [name, options] of Object.entries(populate)) {
    if (options === undefined) continue;
    const found = node.follow(name).filter((each) => matches(options.filters, each));
    const items = options.sort === undefined ? found : sorted(found, [options.sort]);
    const fields = [...options.fields, ...(options.sort === undefined ? [] : scalarsOf([options.sort]))];
    const texts = items.map((each) => show(each, fields, options.populate));
    shown[name] = name === "author" ? (texts[0] ?? null) : texts;
  }
  return shown;
};

/** What is sorted by directly. */
const scalarsOf = (sort: readonly string[]): string[] =>
  sort.map((key) => key.split(":")[0] ?? "").filter((path) => !path.includes("."));

const followsRelation = (filter: unknown): boolean =>
  typeof filter === "object" &&
  filter !== null &&
  Object.entries(filter).some(([key, value]) => RELATED.has(key) || followsRelation(value));

/** The data of a reader for whom another locale stands in where there is no version in the first. */
const fallingBack = (data: Data, locale: string, fallback: string): Data => {
  const has = (documentId: string, status: string) =>
    data.articles.some((row) => row.documentId === documentId && row.status === status && row.locale === locale);
  const standIns = data.articles.filter((row) => row.locale === fallback && !has(row.documentId, row.status));
  const own = data.articles.filter((row) => row.locale === locale);
  return { ...data, articles: [...own, ...standIns.map((row) => ({ ...row, locale }))] };
};

/** The documents that the query asks for, with their titles. */
export const evaluate = (
  given: Data,
  { filters, sort, populate, status, locale, fallback, _q: words }: Asked,
): Shown[] => {
  const data = fallback === undefined ? given : fallingBack(given, locale, fallback);
  const nodes = data.articles
    .filter((row) => row.status === status && (locale === "*" || row.locale === locale))
    .map((row) => articleNode(data, row))
    .filter((node) => matches(words === undefined ? {} : { title: { $containsi: words } }, node))
    .filter((node) => matches(filters, node));
  // A list shows what it is sorted by when its filters follow a relation.
  const fields = ["title", ...(followsRelation(filters) ? scalarsOf(sort) : [])];
  return sorted(nodes, sort).map((node) => show(node, fields, populate));
};

/** The filters that rows of each type have to meet; rows of a type without any are all there. */
export type RowRules = Readonly<Partial<Record<keyof Data, Filter>>>;

/** What is left of the data for somebody who may read only the rows that meet the rules, which see all of it. */
export const readableOf = (data: Data, rules: RowRules): Data => ({
  articles: data.articles.filter((row) => matches(rules.articles, articleNode(data, row))),
  authors: data.authors.filter((row) => matches(rules.authors, authorNode(data, row))),
  categories: data.categories.filter((row) => matches(rules.categories, categoryNode(data, row))),
});

/** The state of a document in a locale, for somebody who may read only this data. */
export const stateIn = ({ articles }: Data, documentId: string, locale: string): string => {
  const own = articles.filter((row) => row.documentId === documentId && row.locale === locale);
  return own.find(({ status }) => status === "published")?.status ?? own[0]?.status ?? "missing";
};
