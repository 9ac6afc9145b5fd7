/** How values of one column type become values of another. */

/** What PostgreSQL does with a column when its type changes. */
export type Conversion =
  /** Only the catalogue changes. */
  | { readonly kind: "free" }
  /** Every value has a place in the new type; the table is rewritten. */
  | { readonly kind: "lossless"; readonly using?: string }
  /** Values may not fit: PostgreSQL refuses those, or cuts what the reason says. */
  | { readonly kind: "narrowing"; readonly using?: string; readonly reason: string }
  /** It takes an expression that only a person can write. */
  | { readonly kind: "unknown" };

const textual = /^(text|varchar(\(\d+\))?)$/;
const lengthOf = (type: string): number => Number(/^varchar\((\d+)\)$/.exec(type)?.[1] ?? Infinity);

const lossless = new Set([
  "integer>bigint",
  "integer>double precision",
  "date>timestamp(3)",
  "smallint>integer",
  "smallint>bigint",
  "numeric(10, 2)>double precision",
]);

const narrowing = new Map([
  ["bigint>integer", "values beyond 2147483647 are refused"],
  ["integer>numeric(10, 2)", "values of more than eight digits are refused"],
  ["bigint>numeric(10, 2)", "values of more than eight digits are refused"],
  ["bigint>double precision", "beyond 15 digits the last ones are lost"],
  ["double precision>numeric(10, 2)", "it keeps two digits after the point"],
  ["double precision>integer", "it rounds"],
  ["double precision>bigint", "it rounds"],
  ["numeric(10, 2)>integer", "it rounds"],
  ["numeric(10, 2)>bigint", "it rounds"],
  ["timestamp(3)>date", "the time of day is lost"],
  ["timestamp(3)>time(3)", "the date is lost"],
]);

/** How a column changes from one type to another; `column` is its quoted name. */
export const conversion = (from: string, to: string, column: string): Conversion => {
  if (textual.test(from) && textual.test(to)) {
    return lengthOf(to) >= lengthOf(from)
      ? { kind: "free" }
      : { kind: "narrowing", reason: `texts of more than ${lengthOf(to)} characters are refused` };
  }
  const change = `${from}>${to}`;
  if (lossless.has(change)) return { kind: "lossless" };
  const reason = narrowing.get(change);
  if (reason !== undefined) return { kind: "narrowing", using: `${column}::${to}`, reason };
  const isShort = /^(integer|bigint|smallint|boolean|date|time|timestamp|double|numeric)/.test(from);
  if (to === "text" || (isShort && lengthOf(to) >= 255 && textual.test(to))) {
    return { kind: "lossless", using: `${column}::text` };
  }
  return { kind: "unknown" };
};

/**
 * The expression that reads a value of another type from its text, for the way back: one that cannot be read stops the
 * migration.
 */
export const fromText = (from: string, to: string, column: string): string =>
  // A time of day has lost its day.
  from === "time(3)" && to === "timestamp(3)" ? `timestamp '1970-01-01' + ${column}` : `${column}::text::${to}`;
