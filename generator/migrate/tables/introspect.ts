/** Reads the actual structure of a database from PostgreSQL's catalogue. */
import type { Session } from "../../../runtime/database/database.ts";
import type { ForeignKey } from "../snapshot.ts";

export interface FoundColumn {
  readonly type: string;
  readonly notNull: boolean;
  readonly identity: boolean;
  /** As PostgreSQL prints it; for a generated column, its expression. */
  readonly default: string | undefined;
  /** The expression that a trigger keeps it equal to. */
  readonly computed: string | undefined;
}

export interface FoundIndex {
  readonly unique: boolean;
  readonly valid: boolean;
  readonly method: string;
  /** Columns and expressions as PostgreSQL prints them, with non-default order and operator class. */
  readonly on: readonly string[];
  readonly where: string | undefined;
}

/** A foreign key, unique constraint or primary key. */
export interface FoundConstraint {
  /** As `foreignKeyText` and `keyText` print it. */
  readonly text: string;
  /** False until its existing rows have been validated. */
  readonly valid: boolean;
}

export interface FoundTable {
  readonly columns: Map<string, FoundColumn>;
  readonly indexes: Map<string, FoundIndex>;
  readonly constraints: Map<string, FoundConstraint>;
}

export type Found = Awaited<ReturnType<typeof introspect>>;

const columnsIn = (namespace: string): string => `
select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity <> '',
  pg_get_expr(d.adbin, d.adrelid), obj_description(t.tgfoid, 'pg_proc')
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_trigger t on t.tgrelid = c.oid and t.tgname = '~' || a.attname and t.tgenabled <> 'D'
where c.relnamespace = ${namespace} and c.relkind in ('r', 'p')`;

/** The second bit of an option is "nulls first", the default with "desc". */
const indexesIn = (namespace: string): string => `
select c.relname, i.relname, x.indisunique, x.indisvalid, m.amname, pg_get_expr(x.indpred, x.indrelid),
  to_json(array(
    select pg_get_indexdef(x.indexrelid, k, false)
      || case when o.opcdefault then '' else ' ' || o.opcname end
      || (array['', ' desc nulls last', ' nulls first', ' desc'])[x.indoption[k - 1] + 1]
    from generate_series(1, x.indnkeyatts) as k join pg_opclass o on o.oid = x.indclass[k - 1]
    order by k))
from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
  join pg_am m on m.oid = i.relam
where c.relnamespace = ${namespace}`;

const names = (relation: string, keys: string): string =>
  `to_json(array(select a.attname from unnest(${keys}) with ordinality as k (attnum, position)
    join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.attnum order by k.position))`;

const constraintsIn = (namespace: string): string => `
select c.relname, o.conname, o.contype, ${names("o.conrelid", "o.conkey")},
  coalesce(t.relname, ''), ${names("o.confrelid", "o.confkey")}, o.confdeltype, o.convalidated
from pg_constraint o join pg_class c on c.oid = o.conrelid left join pg_class t on t.oid = o.confrelid
where c.relnamespace = ${namespace} and o.contype in ('f', 'p', 'u')`;

const sequencesIn = (namespace: string): string => `
select relname from pg_class where relnamespace = ${namespace} and relkind = 'S'`;

export const foreignKeyText = ({ columns, table, references, onDelete }: ForeignKey): string =>
  `foreign key (${columns.join(", ")}) to ${table} (${references.join(", ")}) on delete ${onDelete}`;

export const keyText = (kind: "primary key" | "unique", columns: readonly string[]): string =>
  `${kind} (${columns.join(", ")})`;

const ON_DELETE = new Map([
  ["c", "cascade"],
  ["n", "set null"],
  ["d", "set default"],
  ["r", "restrict"],
]);

const texts = (json: unknown): string[] => {
  const parsed: unknown = JSON.parse(String(json));
  return Array.isArray(parsed) ? parsed.map(String) : [];
};

/** The schema that unqualified names resolve to. */
export const CURRENT = "current_schema()::regnamespace";
/** The session's temporary tables. */
export const TEMPORARY = "pg_my_temp_schema()";

/**
 * Reads the tables of a schema.
 * @param namespace SQL for its oid
 */
export const introspect = async (session: Session, namespace = CURRENT) => {
  const tables = new Map<string, FoundTable>();
  const table = (name: unknown): FoundTable => {
    const key = String(name);
    const known = tables.get(key) ?? { columns: new Map(), indexes: new Map(), constraints: new Map() };
    tables.set(key, known);
    return known;
  };
  for (const [owner, name, type, notNull, identity, value, computed] of await session.rows(columnsIn(namespace))) {
    table(owner).columns.set(String(name), {
      type: String(type),
      notNull: notNull === true,
      identity: identity === true,
      default: value === null ? undefined : String(value),
      computed: computed === null ? undefined : String(computed),
    });
  }
  for (const [owner, name, unique, valid, method, where, on] of await session.rows(indexesIn(namespace))) {
    table(owner).indexes.set(String(name), {
      unique: unique === true,
      valid: valid === true,
      method: String(method),
      on: texts(on),
      where: where === null ? undefined : String(where),
    });
  }
  for (const [owner, name, kind, columns, target, references, action, valid] of await session.rows(
    constraintsIn(namespace),
  )) {
    const onDelete = ON_DELETE.get(String(action)) ?? "no action";
    const key = { columns: texts(columns), table: String(target), references: texts(references), onDelete };
    const text = kind === "f" ? foreignKeyText(key) : keyText(kind === "p" ? "primary key" : "unique", key.columns);
    table(owner).constraints.set(String(name), { text, valid: valid === true });
  }
  const sequences = (await session.rows(sequencesIn(namespace))).map(([name]) => String(name));
  return { tables, sequences: new Set(sequences) };
};
