/** Migrations as files: a folder each, named by its time and what it does, with `up.sql` and `down.sql`. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Between these two lines stands what runs before the transaction, one statement at a time, and may run again. */
export const BEFORE = "-- before the transaction:";
export const INSIDE = "-- in the transaction:";

/** What follows this line runs outside a transaction, one statement at a time; statements end in `;` at a line's end. */
export const OUTSIDE = "-- outside a transaction:";

export interface Migration {
  /** Name of its folder: `20260102030405_add_article_subtitle`. Migrations run in the order of their names. */
  readonly name: string;
  readonly up: string;
  /** Undefined when nobody wrote a way back. */
  readonly down: string | undefined;
  /** Changes with `up.sql`, except for line ends. */
  readonly checksum: string;
  /** Migrations that this one was made of: together they do the same. */
  readonly replaces: readonly string[];
}

/** Stands beside `up.sql` where a migration was made of several: their names, a line each. */
export const REPLACES = "replaces.txt";

/** What a migration was made of; nothing for most. */
const readReplaced = (folder: string): readonly string[] => {
  const file = path.join(folder, REPLACES);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split(/\r?\n/)
    .filter((line) => line !== "");
};

export const checksumOf = (sql: string): string =>
  createHash("sha256").update(sql.replaceAll("\r\n", "\n")).digest("hex");

/** A checkout may have turned the ends of lines into CRLF; SQL is run, and compared, as it was written. */
const readSql = (file: string): string => readFileSync(file, "utf8").replaceAll("\r\n", "\n");

const readOne = (folder: string, name: string): readonly Migration[] => {
  const file = (named: string): string => path.join(folder, name, named);
  if (!existsSync(file("up.sql"))) return [];
  const up = readSql(file("up.sql"));
  const down = existsSync(file("down.sql")) ? readSql(file("down.sql")) : undefined;
  return [{ name, up, down, checksum: checksumOf(up), replaces: readReplaced(path.join(folder, name)) }];
};

/**
 * The migrations in `folder`, oldest first. A folder that is not there has none. There may be hundreds of small files:
 * one after another they are read in a fraction of the time that waiting for each takes.
 */
export const readMigrations = (folder: string): readonly Migration[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .flatMap((name) => readOne(folder, name))
    : [];

export interface Phases {
  /** Run one by one, each committed by itself; all of them again when the transaction after them did not come about. */
  readonly before: readonly string[];
  /** Runs as one transaction. */
  readonly inside: string;
  /** Run one by one, each committed by itself. */
  readonly outside: readonly string[];
}

/** Statements that end in `;` at a line's end; those within `$$ … $$` belong to the one around them. */
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

/** What stands before a line, and after it; all before one that is not there. */
const splitAt = (text: string, line: string): readonly [string, string] => {
  const lines = text.split("\n");
  const at = lines.indexOf(line);
  return at === -1 ? [text, ""] : [lines.slice(0, at).join("\n"), lines.slice(at + 1).join("\n")];
};

/** Splits a migration at the lines that begin and end its transaction. */
export const splitPhases = (sql: string): Phases => {
  const [most, outside] = splitAt(sql, OUTSIDE);
  const [head, rest] = splitAt(most, BEFORE);
  const [before, inside] = splitAt(rest, INSIDE);
  return {
    before: splitStatements(before),
    inside: rest === "" ? head : inside,
    outside: splitStatements(outside),
  };
};
