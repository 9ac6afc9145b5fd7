/** Which sorts and searches the existing indexes of a table serve, whatever their names. */
import { quote } from "../../migrate/sql.ts";
import type { FoundIndex, FoundTable } from "../../migrate/tables/introspect.ts";
import { onlyRow, type Reading } from "../reading.ts";

/** The operator class of trigram indexes, from the extension pg_trgm. */
const TRIGRAMS = "gin_trgm_ops";

const unquote = (name: string): string => (/^".*"$/.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name);

/** Visitors' requests read published versions. */
const isForRequests = ({ valid, where }: FoundIndex): boolean =>
  valid && (where === undefined || /^\(*published_at is not null\)*$/i.test(where));

/** A key without its direction, if nulls have their default order; other operator classes serve no sorting. */
const orderedKey = (key: string | undefined): string | undefined =>
  key === undefined ? undefined : unquote(key.replace(/ desc$/, ""));

/** Whether an index starts with the column, or with the locale and then the column. */
export const isOrdered = ({ indexes }: FoundTable, column: string): boolean =>
  [...indexes.values()].some((index) => {
    if (index.method !== "btree" || !isForRequests(index)) return false;
    const [first, second] = index.on.map(orderedKey);
    return first === column || (first === "locale" && second === column);
  });

/** Two spellings of the same expression get the same key: PostgreSQL adds and removes casts to text. */
const keyOf = (expression: string): string =>
  expression.replaceAll(/::text|::character varying/g, "").replaceAll(/[()"\s]/g, "");

/** The expressions without a trigram index. */
export const unsearched = ({ indexes }: FoundTable, expressions: readonly string[]): readonly string[] => {
  const known = new Set(
    [...indexes.values()]
      .filter(({ method, valid, where }) => method === "gin" && valid && where === undefined)
      .flatMap(({ on }) => on)
      .filter((key) => key.endsWith(` ${TRIGRAMS}`))
      .map((key) => keyOf(key.slice(0, -TRIGRAMS.length - 1))),
  );
  return expressions.filter((expression) => !known.has(keyOf(expression)));
};

export type Trigrams = Awaited<ReturnType<typeof readTrigrams>>;

/** The extension may be in a schema outside the search path. */
const EXTENSION = `
select (select n.nspname::text from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'),
  (select n.nspname = any(current_schemas(true))
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'),
  exists (select from pg_available_extensions where name = 'pg_trgm')`;

/**
 * The operator class as an index names it (undefined if the server lacks the extension), and whether `create extension`
 * must come first.
 */
export const readTrigrams = async ({ rows }: Pick<Reading, "rows">) => {
  const [schema, isReached, isAvailable] = onlyRow(await rows(EXTENSION));
  if (typeof schema === "string") {
    return { operators: isReached === true ? TRIGRAMS : `${quote(schema)}.${TRIGRAMS}`, isMissing: false };
  }
  return { operators: isAvailable === true ? TRIGRAMS : undefined, isMissing: true };
};
