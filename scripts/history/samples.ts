/** Sample documents with a value for every attribute, inserted with SQL from a snapshot alone. */
import type { AttributeOutline, ContentTypeOutline, Snapshot } from "../../generator/migrate/snapshot.ts";
import { literal, quote } from "../../generator/migrate/sql.ts";
import type { Database } from "../../runtime/database/database.ts";
import { uniqueColumns } from "./unique.ts";

type Scalar = Extract<AttributeOutline, { kind: "scalar" }>;
type Linked = Extract<AttributeOutline, { kind: "relation" | "media" }>;

/** Components may contain themselves. */
const DEEPEST = 3;

const MINUTE = 60_000;

/** The nth minute of 2026, as `2026-01-02T03:04:00.678Z`. */
const instant = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, 0, 678) + n * MINUTE).toISOString();

/** A value as components store it. */
const scalarOf = ({ type, enum: values }: Scalar, n: number): unknown => {
  switch (type) {
    case "integer":
    case "float":
    case "decimal":
      return n;
    case "biginteger":
      return String(n);
    case "boolean":
      return n % 2 === 0;
    case "date":
      return instant(n * 24 * 60).slice(0, 10);
    case "time":
      return instant(n).slice(11, -1);
    case "datetime":
    case "timestamp":
      return instant(n);
    case "json":
      return { n };
    case "blocks":
      return [{ type: "paragraph", children: [{ type: "text", text: `text ${n}` }] }];
    case "email":
      return `a${n}@example.org`;
    case "enumeration":
      return values?.[n % values.length] ?? null;
    default:
      return `text-${n}`;
  }
};

/** The contents of one table's row, and of its link tables. */
interface Row {
  readonly columns: Map<string, string>;
  readonly links: Map<string, Readonly<Record<string, string>>[]>;
}

const sqlOf = (value: unknown): string =>
  value === null ? "null" : literal(typeof value === "object" ? JSON.stringify(value) : String(value));

/** Inserts documents; values are distinct, as far as their types allow. */
export class Samples {
  readonly #database: Database;
  #count = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** One document for each of these types. */
  async add(snapshot: Snapshot, uids: readonly string[]): Promise<void> {
    await this.#addFile(snapshot);
    const documents = new Map(uids.map((uid) => [uid, `doc${++this.#count}`]));
    for (const [uid, id] of documents)
      await this.#database.script(`insert into documents (document_id, type) values ('${id}', ${literal(uid)})`);
    const targets = new Map(
      (await this.#database.rows("select type, max(document_id) from documents group by type")).map(([type, id]) => [
        String(type),
        String(id),
      ]),
    );
    for (const [uid, id] of documents) {
      const type = snapshot.contentTypes[uid];
      if (type) await this.#insert(snapshot, type, id, targets);
    }
  }

  async #addFile({ tables }: Snapshot): Promise<void> {
    if (!Object.hasOwn(tables, "files")) return;
    const [[count] = []] = await this.#database.rows("select count(*)::int from files");
    if (Number(count) > 0) return;
    await this.#database
      .script(`insert into files (document_id, name, hash, mime, size, url, provider, created_at, updated_at)
      values ('f1', 'a.png', 'a', 'image/png', 1, '/a.png', 'local', now(), now())`);
  }

  #entry(
    snapshot: Snapshot,
    uid: string,
    targets: ReadonlyMap<string, string>,
    depth: number,
  ): Record<string, unknown> {
    const fields = Object.entries(snapshot.components[uid]?.attributes ?? {});
    return {
      id: ++this.#count,
      ...Object.fromEntries(fields.map(([name, each]) => [name, this.#json(snapshot, each, targets, depth + 1)])),
    };
  }

  #json(snapshot: Snapshot, attribute: AttributeOutline, targets: ReadonlyMap<string, string>, depth: number): unknown {
    switch (attribute.kind) {
      case "scalar":
        return scalarOf(attribute, ++this.#count);
      case "media":
        return attribute.multiple ? [1] : 1;
      case "relation": {
        const [[type, any] = []] = [...targets].slice(-1);
        const id = attribute.target === undefined ? any : targets.get(attribute.target);
        if (id === undefined) return attribute.many ? [] : null;
        const one = attribute.target === undefined ? { documentId: id, __type: type } : id;
        return attribute.many ? [one] : one;
      }
      case "component": {
        if (depth > DEEPEST) return attribute.repeatable ? [] : null;
        const entry = () => this.#entry(snapshot, attribute.component, targets, depth);
        return attribute.repeatable ? [entry(), entry()] : entry();
      }
      case "dynamiczone":
        return attribute.components.map((uid) => ({ __component: uid, ...this.#entry(snapshot, uid, targets, depth) }));
    }
  }

  /** Whether another document has the only link that a target may have from this relation. */
  async #isTaken(table: string, attribute: Linked, target: string): Promise<boolean> {
    if (attribute.kind === "media" || !attribute.relation.startsWith("oneTo")) return false;
    const [place, column] = attribute.link === undefined ? [table, attribute.column] : [attribute.link, "document_id"];
    if (column === undefined) return false;
    const sql = `select 1 from ${quote(place)} where ${quote(column)} = $1 limit 1`;
    return (await this.#database.rows(sql, [target])).length > 0;
  }

  async #link(
    row: Row,
    table: string,
    attribute: Linked,
    snapshot: Snapshot,
    targets: ReadonlyMap<string, string>,
  ): Promise<void> {
    const [[type, any] = ["", ""]] = [...targets].slice(-1);
    const isMorph = attribute.kind === "relation" && attribute.target === undefined;
    const target =
      attribute.kind === "media"
        ? "1"
        : isMorph
          ? any
          : attribute.target === undefined
            ? undefined
            : targets.get(attribute.target);
    if (target === undefined || (await this.#isTaken(table, attribute, target))) return;
    if (attribute.column !== undefined) {
      row.columns.set(attribute.column, literal(target));
      if (attribute.kind === "relation" && attribute.typeColumn !== undefined)
        row.columns.set(attribute.typeColumn, literal(type));
    } else if (attribute.link !== undefined) {
      const known = snapshot.tables[attribute.link]?.columns ?? {};
      const link = {
        [attribute.kind === "media" ? "file_id" : "document_id"]: literal(target),
        position: "1",
        ...(Object.hasOwn(known, "inverse_position") ? { inverse_position: "1" } : {}),
        ...(isMorph ? { document_type: literal(type) } : {}),
      };
      row.links.set(attribute.link, [link]);
    }
  }

  /** Omits from a row unique values that another row has: an enumeration has only so many values. */
  async #leaveTaken({ tables }: Snapshot, type: ContentTypeOutline, { columns }: Row): Promise<void> {
    for (const { column } of uniqueColumns(tables, type)) {
      const value = columns.get(column);
      if (value === undefined) continue;
      const kind = tables[type.table]?.columns[column]?.type ?? "text";
      const found = await this.#database.rows(
        `select 1 from ${quote(type.table)} where ${quote(column)}::text = (${value})::${kind}::text limit 1`,
      );
      if (found.length > 0) columns.delete(column);
    }
  }

  async #insert(
    snapshot: Snapshot,
    type: ContentTypeOutline,
    id: string,
    targets: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { table, attributes, localized } = type;
    const row: Row = { columns: new Map(), links: new Map() };
    for (const name of ["created_at", "updated_at", "published_at"]) row.columns.set(name, "now()");
    row.columns.set("document_id", literal(id));
    if (localized) row.columns.set("locale", "'en'");
    for (const attribute of Object.values(attributes)) {
      if (attribute.kind === "relation" || attribute.kind === "media")
        await this.#link(row, table, attribute, snapshot, targets);
      else row.columns.set(attribute.column, sqlOf(this.#json(snapshot, attribute, targets, 0)));
    }
    await this.#leaveTaken(snapshot, type, row);
    const [names, values] = [[...row.columns.keys()], [...row.columns.values()]];
    await this.#database.script(
      `insert into ${quote(table)} (${names.map(quote).join(", ")}) values (${values.join(", ")})`,
    );
    for (const [link, rows] of row.links) {
      for (const each of rows) {
        await this.#database.script(
          `insert into ${quote(link)} (version_id, ${Object.keys(each).map(quote).join(", ")})
          select id, ${Object.values(each).join(", ")} from ${quote(table)} where document_id = ${literal(id)}`,
        );
      }
    }
  }
}
