/** Parses our statements to find the columns that they search and sort by. */

/** How a statement uses a column of a table. */
export interface Use {
  readonly table: string;
  readonly column: string;
  /**
   * `compare`: with a value or a range; `sort`: a page in this order; `like` and `lower`: parts of its text, or of that
   * in lower case.
   */
  readonly kind: "compare" | "sort" | "like" | "lower";
  readonly descending: boolean;
}

const NAME = '"((?:[^"]|"")+)"';
const COLUMN = String.raw`"(t\d+)"\.${NAME}`;

const TABLES = new RegExp(String.raw`(?:from|join) ${NAME} (?:as )?"(t\d+)"`, "g");
const COMPARED = new RegExp(String.raw`(?<!not )${COLUMN} (?:(?:=|<|<=|>|>=) (?:any\()?|between )\$\d`, "g");
const LIKE = new RegExp(String.raw`(?<!not )${COLUMN} like \$\d`, "g");
const LOWER = new RegExp(String.raw`(?<!not )lower\(${COLUMN}::text\) (?:like|=) lower\(\$\d`, "g");
/** A page of a list. An index on the first sort key is enough: few rows share its value. */
const PAGE = new RegExp(
  String.raw`order by ${COLUMN}( asc| desc)?(?:, "t\d+"\."(?:[^"]|"")+"(?: asc| desc)?)* limit (?:[$(]|greatest)`,
  "g",
);

const unquote = (name: string): string => name.replaceAll('""', '"');

/** Columns that are indexed anyway, and those that every statement contains. */
const SYSTEM: ReadonlySet<string> = new Set(["id", "version_id", "locale", "published_at"]);

/** The distinct uses in one statement. */
export const usesIn = (statement: string): readonly Use[] => {
  const tables = new Map<string, string>();
  for (const [, table = "", alias = ""] of statement.matchAll(TABLES)) tables.set(alias, unquote(table));
  const found = new Map<string, Use>();
  const collect = (pattern: RegExp, kind: Use["kind"], isSystem: (column: string) => boolean): void => {
    for (const [, alias = "", name = "", direction] of statement.matchAll(pattern)) {
      const [table, column] = [tables.get(alias), unquote(name)];
      if (table === undefined || isSystem(column)) continue;
      found.set(`${kind} ${table} ${column}`, { table, column, kind, descending: direction === " desc" });
    }
  };
  collect(COMPARED, "compare", (column) => SYSTEM.has(column) || column === "document_id");
  collect(PAGE, "sort", (column) => column === "id");
  collect(LIKE, "like", () => false);
  collect(LOWER, "lower", () => false);
  return [...found.values()];
};
