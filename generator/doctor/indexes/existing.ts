/** Which orders and searches the indexes of a table already serve, whatever their names are. */
import type { FoundIndex, FoundTable } from "../../migrate/tables/introspect.ts";

/** The operator class of indexes that find parts of words. */
export const TRIGRAMS = "gin_trgm_ops";

const unquote = (name: string): string => (/^".*"$/.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name);

/** Requests of visitors ask for published versions. */
const isForRequests = ({ valid, where }: FoundIndex): boolean =>
  valid && (where === undefined || /^\(*published_at is not null\)*$/i.test(where));

/** A key without its direction, where nulls stand as usual; other operator classes serve no order. */
const orderedKey = (key: string | undefined): string | undefined =>
  key === undefined ? undefined : unquote(key.replace(/ desc$/, ""));

/** Whether an index begins with the column, or with the locale and then the column. */
export const isOrdered = ({ indexes }: FoundTable, column: string): boolean =>
  [...indexes.values()].some((index) => {
    if (index.method !== "btree" || !isForRequests(index)) return false;
    const [first, second] = index.on.map(orderedKey);
    return first === column || (first === "locale" && second === column);
  });

/** Two spellings of the same expression have the same key: PostgreSQL adds and drops casts to text. */
const keyOf = (expression: string): string =>
  expression.replaceAll(/::text|::character varying/g, "").replaceAll(/[()"\s]/g, "");

/** Those of the expressions that no index finds parts of. */
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
