/** The rows of a type in the form of an export: with their components inline. */
import { append, groupBy } from "../../base/lists.ts";
import { type Major, namesOf } from "./names.ts";
import type { SourceAttribute, SourceType, SourceTypes } from "./source-types.ts";
import { tableOf } from "./source-types.ts";
import type { SourceRow, SourceTables } from "./tables.ts";

export interface SourceEntity {
  readonly id: number;
  readonly data: Readonly<Record<string, unknown>>;
}

const PAGE = 500;

/** Every row of a table, page by page. */
export async function* pagesOf(tables: SourceTables, table: string): AsyncIterable<readonly SourceRow[]> {
  for (let after = 0; ;) {
    const rows = await tables.page(table, after, PAGE);
    if (rows.length === 0) return;
    yield rows;
    after = Number(rows.at(-1)?.["id"]);
  }
}

const LINKED = new Set(["relation", "media", "component", "dynamiczone"]);

const SYSTEM = {
  document_id: "documentId",
  created_at: "createdAt",
  updated_at: "updatedAt",
  published_at: "publishedAt",
  locale: "locale",
} as const;

/** The attribute of each column. A column without one keeps its name, so that it is not lost. */
const attributesByColumn = (tables: SourceTables, major: Major, { table, attributes }: SourceType) => {
  const columns = tables.columns(table) ?? [];
  const found = new Map<string, string>(Object.entries(SYSTEM).filter(([column]) => columns.includes(column)));
  for (const [name, { type }] of attributes) {
    if (LINKED.has(String(type))) continue;
    const column = namesOf(major, [name]).find((each) => columns.includes(each));
    if (column !== undefined) found.set(column, name);
  }
  for (const column of columns) {
    // Ids of other rows are links; the columns of their types come with them.
    if (column === "id" || found.has(column) || /_id$|^target_type$/.test(column)) continue;
    found.set(column, column);
  }
  return found;
};

/** From version 5 on, JSON strings include their quotes; version 4 stored them without. */
const shown = (major: Major, attribute: SourceAttribute | undefined, value: unknown): unknown =>
  major === 5 && attribute?.["type"] === "json" && typeof value === "string" ? JSON.stringify(value) : (value ?? null);

interface Part {
  readonly field: string;
  readonly component: string;
  readonly entry: SourceEntity;
}

/** The value of an attribute with components. */
const nested = (attribute: SourceAttribute, parts: readonly Part[]): unknown => {
  const isZone = attribute["type"] === "dynamiczone";
  const all = parts.map(({ component, entry: { id, data } }) => ({
    id,
    ...(isZone ? { __component: component } : {}),
    ...data,
  }));
  return isZone || attribute["repeatable"] === true ? all : (all[0] ?? null);
};

/** Reads rows of the types of one database. */
export class Rows {
  readonly #tables: SourceTables;
  readonly #source: SourceTypes;
  readonly #columns = new Map<SourceType, ReadonlyMap<string, string>>();

  constructor(tables: SourceTables, source: SourceTypes) {
    this.#tables = tables;
    this.#source = source;
  }

  #columnsOf(type: SourceType): ReadonlyMap<string, string> {
    const known = this.#columns.get(type) ?? attributesByColumn(this.#tables, this.#source.major, type);
    this.#columns.set(type, known);
    return known;
  }

  /** The entries of a component; only their ids if the component is unknown. */
  async #entriesOf(uid: string, ids: readonly number[]): Promise<readonly SourceEntity[]> {
    const type = this.#source.components.get(uid);
    if (type === undefined) return ids.map((id) => ({ id, data: {} }));
    return this.entitiesOf(type, await this.#tables.having(type.table, "id", ids));
  }

  /** The entries in components and zones of rows, in order, by row id. */
  async #partsOf({ collectionName }: SourceType, ids: readonly number[]): Promise<ReadonlyMap<number, Part[]>> {
    const parts = new Map<number, Part[]>();
    const table = tableOf(this.#tables, namesOf(this.#source.major, [collectionName], "components"));
    if (table === undefined) return parts;
    const entryColumn = this.#tables.columns(table)?.includes("cmp_id") === true ? "cmp_id" : "component_id";
    const joins = await this.#tables.having(table, "entity_id", ids);
    const entries = new Map<string, SourceEntity>();
    for (const [uid, own] of groupBy(joins, (join) => String(join["component_type"]))) {
      const entryIds = own.map((join) => Number(join[entryColumn]));
      for (const entry of await this.#entriesOf(uid, entryIds)) entries.set(`${uid} ${entry.id}`, entry);
    }
    for (const join of joins.toSorted((left, right) => Number(left["order"]) - Number(right["order"]))) {
      const component = String(join["component_type"]);
      const entry = entries.get(`${component} ${Number(join[entryColumn])}`);
      if (entry) append(parts, Number(join["entity_id"]), { field: String(join["field"]), component, entry });
    }
    return parts;
  }

  async entitiesOf(type: SourceType, rows: readonly SourceRow[]): Promise<readonly SourceEntity[]> {
    const ids = rows.map(({ id }) => Number(id));
    const parts = await this.#partsOf(type, ids);
    return rows.map((row, index) => {
      const id = ids[index] ?? 0;
      const own = groupBy(parts.get(id) ?? [], ({ field }) => field);
      const values = [...this.#columnsOf(type)].map(([column, name]): readonly [string, unknown] => [
        name,
        shown(this.#source.major, type.attributes.get(name), row[column]),
      ]);
      const entries = [...type.attributes].flatMap(([name, attribute]): readonly (readonly [string, unknown])[] =>
        attribute["type"] === "component" || attribute["type"] === "dynamiczone"
          ? [[name, nested(attribute, own.get(name) ?? [])]]
          : [],
      );
      return { id, data: Object.fromEntries([...values, ...entries]) };
    });
  }
}
