/** Reads from the text of a statement of ours which columns it searches and sorts by. */

/** What a statement does with a column of a table. */
export interface Use {
  readonly table: string;
  readonly column: string;
  /**
   * `compare`: with a value or a range; `sort`: a page in this order; `like` and `lower`: parts of its text, or of that in
   * lower case.
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
/** A page of a list. An index of the first key is enough: few rows have the same value of that. */
const PAGE = new RegExp(
  String.raw`order by ${COLUMN}( asc| desc)?(?:, "t\d+"\."(?:[^"]|"")+"(?: asc| desc)?)* limit (?:[$(]|greatest)`,
  "g",
);

const unquote = (name: string): string => name.replaceAll('""', '"');

/** Columns by which rows are found anyway, and those that are in every statement. */
const SYSTEM: ReadonlySet<string> = new Set(["id", "version_id", "locale", "published_at"]);

/** The uses in one statement, each once. */
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
