/** Migrations as files: one folder each, named by its time and purpose, with `up.sql` and `down.sql`. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Statements between this line and {@link INSIDE} run before the transaction, one at a time, and may be repeated. */
export const BEFORE = "-- before the transaction:";
export const INSIDE = "-- in the transaction:";

/**
 * Statements after this line run outside a transaction, one at a time. A statement ends with `;` at the end of a line.
 */
export const OUTSIDE = "-- outside a transaction:";

export interface Migration {
  /**
   * The name of its folder, such as `20260102030405_add_article_subtitle`. Migrations run in the order of their names.
   */
  readonly name: string;
  readonly up: string;
  /** Undefined if there is no `down.sql`. */
  readonly down: string | undefined;
  /** Hash of `up.sql`, independent of line endings. */
  readonly checksum: string;
  /** The names of the migrations that this one replaces; together they do the same. */
  readonly replaces: readonly string[];
}

/** The file beside `up.sql` that lists the names of the replaced migrations, one per line. */
export const REPLACES = "replaces.txt";

/** The names of the migrations that this one replaces; usually none. */
const readReplaced = (folder: string): readonly string[] => {
  const file = path.join(folder, REPLACES);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split(/\r?\n/)
    .filter((line) => line !== "");
};

export const checksumOf = (sql: string): string =>
  createHash("sha256").update(sql.replaceAll("\r\n", "\n")).digest("hex");

/** Reads SQL with LF line endings, since Git may have converted them to CRLF on checkout. */
const readSql = (file: string): string => readFileSync(file, "utf8").replaceAll("\r\n", "\n");

const readOne = (folder: string, name: string): readonly Migration[] => {
  const file = (named: string): string => path.join(folder, name, named);
  if (!existsSync(file("up.sql"))) return [];
  const up = readSql(file("up.sql"));
  const down = existsSync(file("down.sql")) ? readSql(file("down.sql")) : undefined;
  return [{ name, up, down, checksum: checksumOf(up), replaces: readReplaced(path.join(folder, name)) }];
};

/**
 * The migrations in `folder`, oldest first; none if the folder does not exist. Reads synchronously: for hundreds of
 * small files that is several times faster than awaiting each one.
 */
export const readMigrations = (folder: string): readonly Migration[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .flatMap((name) => readOne(folder, name))
    : [];

/**
 * Splits SQL into statements, which end with `;` at the end of a line. Lines within `$$ … $$` do not end a statement.
 */
const splitStatements = (sql: string): readonly string[] => {
  const statements: string[] = [];
  let isInside = false;
  for (const piece of sql.split(/;[ \t]*(?:\n|$)/)) {
    const before = isInside ? statements.pop() : undefined;
    statements.push(before === undefined ? piece : `${before};\n${piece}`);
    if (piece.split("$$").length % 2 === 0) isInside = !isInside;
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
};

/** The text before a line and after it; if the line is missing, all of the text is before it. */
const splitAt = (text: string, line: string): readonly [string, string] => {
  const lines = text.split("\n");
  const at = lines.indexOf(line);
  return at === -1 ? [text, ""] : [lines.slice(0, at).join("\n"), lines.slice(at + 1).join("\n")];
};

/** Splits a migration at the marker lines around its transaction. */
export const splitPhases = (sql: string) => {
  const [most, outside] = splitAt(sql, OUTSIDE);
  const [head, rest] = splitAt(most, BEFORE);
  const [before, inside] = splitAt(rest, INSIDE);
  return {
    /** Run one by one, each committed by itself. If the transaction after them fails, all of them run again. */
    before: splitStatements(before),
    /** Runs as one transaction. */
    inside: rest === "" ? head : inside,
    /** Run one by one, each committed by itself. */
    outside: splitStatements(outside),
  };
};
