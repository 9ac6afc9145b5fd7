/** What a database really holds, read from PostgreSQL's catalogue. */
import type { Session } from "../../runtime/database/database.ts";

export interface FoundColumn {
  readonly type: string;
  readonly notNull: boolean;
  readonly identity: boolean;
}

export interface FoundIndex {
  readonly unique: boolean;
  readonly partial: boolean;
  readonly valid: boolean;
  readonly columns: readonly string[];
}

export interface FoundTable {
  readonly columns: Map<string, FoundColumn>;
  readonly indexes: Map<string, FoundIndex>;
  /** Foreign keys, unique constraints and primary keys: name to definition. */
  readonly constraints: Map<string, string>;
}

export interface Found {
  readonly tables: ReadonlyMap<string, FoundTable>;
  readonly sequences: ReadonlySet<string>;
}

const COLUMNS = `
select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity <> ''
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`;

const INDEXES = `
select c.relname, i.relname, x.indisunique, x.indpred is not null, x.indisvalid,
  to_json(array(select pg_get_indexdef(x.indexrelid, k, true) from generate_series(1, x.indnkeyatts) as k))
from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
where c.relnamespace = current_schema()::regnamespace`;

const CONSTRAINTS = `
select c.relname, o.conname, pg_get_constraintdef(o.oid)
from pg_constraint o join pg_class c on c.oid = o.conrelid
where c.relnamespace = current_schema()::regnamespace and o.contype in ('f', 'p', 'u')`;

const SEQUENCES = `
select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S'`;

const texts = (json: unknown): string[] => {
  const parsed: unknown = JSON.parse(String(json));
  return Array.isArray(parsed) ? parsed.map(String) : [];
};

/** Reads the tables of the current schema. */
export const introspect = async (session: Session): Promise<Found> => {
  const tables = new Map<string, FoundTable>();
  const table = (name: unknown): FoundTable => {
    const key = String(name);
    const known = tables.get(key) ?? { columns: new Map(), indexes: new Map(), constraints: new Map() };
    tables.set(key, known);
    return known;
  };
  for (const [owner, name, type, notNull, identity] of await session.rows(COLUMNS)) {
    table(owner).columns.set(String(name), {
      type: String(type),
      notNull: notNull === true,
      identity: identity === true,
    });
  }
  for (const [owner, name, unique, partial, valid, columns] of await session.rows(INDEXES)) {
    table(owner).indexes.set(String(name), {
      unique: unique === true,
      partial: partial === true,
      valid: valid === true,
      columns: texts(columns),
    });
  }
  for (const [owner, name, definition] of await session.rows(CONSTRAINTS)) {
    table(owner).constraints.set(String(name), String(definition));
  }
  const sequences = (await session.rows(SEQUENCES)).map(([name]) => String(name));
  return { tables, sequences: new Set(sequences) };
};
