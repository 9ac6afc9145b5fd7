/** Links between the rows of a Strapi database, in the form of export lines. */
import { isRecord } from "../../../runtime/base/is-record.ts";
import { SetupError } from "../../../runtime/base/thrown.ts";
import type { LinkRecord } from "../content/records.ts";
import { type Ending, namesOf } from "./names.ts";
import { pagesOf } from "./rows.ts";
import { type SourceAttribute, type SourceType, type SourceTypes, tableOf } from "./source-types.ts";
import type { SourceRow, SourceTables } from "./tables.ts";

interface Relation {
  readonly type: SourceType;
  readonly name: string;
  readonly attribute: SourceAttribute;
}

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/**
 * Skips authors of rows, which are not content, and links between locales, which share a documentId from version 5 on.
 */
const isStored = ({ name, attribute }: Relation, { major }: SourceTypes): boolean =>
  attribute["type"] === "relation" &&
  attribute["mappedBy"] === undefined &&
  !["morphOne", "morphMany"].includes(String(attribute["relation"])) &&
  name !== "createdBy" &&
  name !== "updatedBy" &&
  (name !== "localizations" || major === 4);

const tableFor = (
  tables: SourceTables,
  { major }: SourceTypes,
  { type, name, attribute }: Relation,
  ending: Ending,
) => {
  const { joinTable } = attribute;
  const own = isRecord(joinTable) ? text(joinTable["name"]) : undefined;
  const names = own === undefined ? namesOf(major, [type.collectionName, name], ending) : [own];
  const table = tableOf(tables, names);
  const columns = tables.columns(table ?? "") ?? [];
  if (table === undefined || !columns.includes("id")) {
    throw new SetupError(
      `the relation ${name} of ${type.uid} cannot be read: there is no table ${[...new Set(names)].join(" or ")} with ids. Start Strapi in its newest ${major}.x version once, which completes its tables, or import what strapi export writes.`,
    );
  }
  return { table, columns: columns.filter((column) => column !== "id") };
};

const line = ({ type, name, attribute }: Relation, left: object, right: LinkRecord["right"]): LinkRecord => ({
  kind: "relation.basic",
  relation: String(attribute["relation"]),
  left: { type: type.uid, field: name, ...left },
  right,
});

/** The order of columns tells the sides: the row that stores the relation comes first. */
async function* joined(tables: SourceTables, types: SourceTypes, relation: Relation): AsyncIterable<LinkRecord> {
  const { attribute } = relation;
  const { table, columns } = tableFor(tables, types, relation, "links");
  const [left = "", right = ""] = columns.filter((column) => column.endsWith("_id"));
  const [first = "", second = ""] = columns.filter((column) => /_ord(?:er)?$/.test(column));
  const [leftOrder, rightOrder] = attribute["relation"] === "manyToOne" ? ["", first] : [first, second];
  const target = text(attribute["target"]) ?? "";
  for await (const rows of pagesOf(tables, table)) {
    for (const row of rows) {
      if (row[left] === null || row[right] === null) continue;
      yield line(
        relation,
        { ref: number(row[left]), pos: number(row[leftOrder]) },
        { type: target, ref: number(row[right]), field: text(attribute["inversedBy"]), pos: number(row[rightOrder]) },
      );
    }
  }
}

async function* ofAnyType(tables: SourceTables, types: SourceTypes, relation: Relation): AsyncIterable<LinkRecord> {
  const { table, columns } = tableFor(tables, types, relation, "morphs");
  const [left = "", right = ""] = columns.filter((column) => column.endsWith("_id"));
  const typeColumn = columns.find((column) => column.endsWith("_type")) ?? "";
  for await (const rows of pagesOf(tables, table)) {
    for (const row of rows) {
      const type = text(row[typeColumn]);
      if (type === undefined || row[left] === null || row[right] === null) continue;
      yield line(
        relation,
        { ref: number(row[left]) },
        { type, ref: number(row[right]), field: text(row["field"]), pos: number(row["order"]) },
      );
    }
  }
}

/** A relation stored in a column of the row. */
async function* inColumn(
  tables: SourceTables,
  relation: Relation,
  endOf: (row: SourceRow) => { readonly type: string | undefined; readonly ref: number | undefined },
): AsyncIterable<LinkRecord> {
  for await (const rows of pagesOf(tables, relation.type.table)) {
    for (const row of rows) {
      const { type, ref } = endOf(row);
      if (type !== undefined && ref !== undefined) yield line(relation, { ref: number(row["id"]) }, { type, ref });
    }
  }
}

const columnOf = ({ major }: SourceTypes, { name, attribute }: Relation): string => {
  const { joinColumn } = attribute;
  const own = isRecord(joinColumn) ? text(joinColumn["name"]) : undefined;
  return own ?? namesOf(major, [name, "id"])[0] ?? "";
};

const linksOf = (tables: SourceTables, types: SourceTypes, relation: Relation): AsyncIterable<LinkRecord> => {
  const { attribute } = relation;
  switch (attribute["relation"]) {
    case "morphToOne":
      return inColumn(tables, relation, (row) => ({ type: text(row["target_type"]), ref: number(row["target_id"]) }));
    case "morphToMany":
      return ofAnyType(tables, types, relation);
    default: {
      if (attribute["useJoinTable"] !== false) return joined(tables, types, relation);
      const column = columnOf(types, relation);
      return inColumn(tables, relation, (row) => ({ type: text(attribute["target"]), ref: number(row[column]) }));
    }
  }
};

/** Every link of every type and component. */
export async function* allLinks(tables: SourceTables, types: SourceTypes): AsyncIterable<LinkRecord> {
  for (const type of [...types.types, ...types.components.values()]) {
    for (const [name, attribute] of type.attributes) {
      const relation = { type, name, attribute };
      if (isStored(relation, types)) yield* linksOf(tables, types, relation);
    }
  }
}
