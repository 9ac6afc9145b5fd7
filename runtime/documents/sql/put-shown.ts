/**
 * Stores a version in one statement that returns its row: alone, or as the published copy of a draft that the same
 * statement stores.
 */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Parameter } from "../../database/database.ts";
import { type Bound, statementOf } from "../../database/statement.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { isComponent } from "../attributes.ts";
import { copiedWithDraft } from "./link-pairs.ts";
import { copiedLinks, storeLinks } from "./link.ts";
import { type Assigned, givenKeys, insertRow, returning, updateRow } from "./put-rows.ts";
import { type BoundPut, isPut, type Put, putClauses, putKey, putValues } from "./put-version.ts";
import { shownIfStored } from "./stored.ts";
import { list, named, sqlTypeOf, type StoredColumn, storedColumns, value } from "./version.ts";

type Columns = readonly AnyPgColumn[];

const shown = (columns: Columns): SQL => shownIfStored(list(columns.map((column) => sql`version.${named(column)}`)));

const namesOf = (columns: Columns): string => columns.map(({ name }) => name).join(", ");

const putOne = (put: Put, columns: Columns): Bound => ({
  statement: statementOf(put.type.table, `${putKey(put)}, shown: ${namesOf(columns)}`, () => {
    const stored = putClauses(put, { version: "version", columns, links: false });
    return sql`with ${list(stored)} ${shown(columns)}`;
  }),
  values: putValues(put),
});

/** Whether the published version has a value of its own: its entries have other ids. */
const differs = ({ attribute, role }: StoredColumn): boolean => role === "value" && isComponent(attribute);

/** The name of a value of the published version. */
const ofPublished = (name: string): string => `published:${name}`;

const inDraft = (column: AnyPgColumn): Assigned => [column, sql`draft.${named(column)}`];

const own = (column: AnyPgColumn, name: string): Assigned => [
  column,
  sql`${value(ofPublished(name))}::${sqlTypeOf(column)}`,
];

const publishedRow = (type: ContentType): readonly Assigned[] => [
  inDraft(type.table.createdAt),
  inDraft(type.table.updatedAt),
  own(type.table.publishedAt, "publishedAt"),
  ...storedColumns(type).map((each) => (differs(each) ? own(each.column, each.key) : inDraft(each.column))),
];

const putPublished = ({ purpose, type }: Put): SQL => {
  const row = publishedRow(type);
  if (purpose === "update") return updateRow(type, "published", row, sql`draft`);
  return insertRow(type, [...givenKeys(type).map(([column]) => inDraft(column)), ...row], sql`draft`);
};

/** The columns of the draft that the published version copies. */
const copiedColumns = (type: ContentType): Columns => [
  ...givenKeys(type).map(([column]) => column),
  type.table.createdAt,
  type.table.updatedAt,
  ...storedColumns(type).flatMap((each) => (differs(each) ? [] : [each.column])),
];

const linksOf = (draft: Put, { type, links, purpose }: Put): readonly SQL[] =>
  links.flatMap(({ name, link }, index) => {
    const given = draft.links.findIndex((each) => each.name === name);
    const isNew = draft.purpose !== "update";
    // A new draft has no links but those that are stored with it.
    if (given < 0 && isNew) return [];
    const wanted = given < 0 ? copiedLinks(type, "draft", link) : copiedWithDraft(link, { suffix: given, isNew });
    return storeLinks(type, link, wanted, { isNew: purpose !== "update", suffix: `copy_${index}` });
  });

const putBoth = (draft: Put, published: Put, columns: Columns): Bound => {
  const { type } = draft;
  const key = `${putKey(draft)}, and ${putKey(published)}, shown: ${namesOf(columns)}`;
  const values: Record<string, Parameter> = putValues(draft);
  values[ofPublished("publishedAt")] = published.version.publishedAt;
  for (const each of storedColumns(type)) {
    if (differs(each)) values[ofPublished(each.key)] = published.version.values[each.key] ?? null;
  }
  return {
    statement: statementOf(type.table, key, () => {
      const stored = [
        ...putClauses(draft, { version: "draft", columns: copiedColumns(type), links: true }),
        sql`version as (${putPublished(published)} ${returning([type.table.id, ...columns])})`,
        ...linksOf(draft, published),
      ];
      return sql`with ${list(stored)} ${shown(columns)}`;
    }),
    values,
  };
};

/** Whether `published` is a copy of `draft` in all columns for which {@link putBoth} takes it as one. */
const isCopyOf = (draft: Put, published: Put): boolean => {
  const [one, other] = [draft.version, published.version];
  return (
    draft.documentId === published.documentId &&
    one.status === "draft" &&
    other.status === "published" &&
    one.locale === other.locale &&
    one.createdAt === other.createdAt &&
    one.updatedAt === other.updatedAt &&
    (draft.purpose === "update" || published.purpose === "insert") &&
    published.links.every((change) => "from" in change) &&
    storedColumns(draft.type).every(
      (each) => differs(each) || each.role === "position" || one.values[each.key] === other.values[each.key],
    )
  );
};

/**
 * One statement for all of `statements`, which returns `columns` of the row of the last version; undefined if they do
 * more than store one version, or a draft and its published copy.
 */
export const putShown = (statements: readonly Bound[], columns: Columns): Bound | undefined => {
  const puts: readonly BoundPut[] = statements.filter(isPut);
  const [first, second] = puts;
  if (!first || puts.length !== statements.length) return undefined;
  if (!second) return putOne(first.put, columns);
  return puts.length === 2 && isCopyOf(first.put, second.put) ? putBoth(first.put, second.put, columns) : undefined;
};
