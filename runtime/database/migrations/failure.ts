/**
 * Describes a failed migration: names table, column and row, but never other values of that row, since they may be
 * private.
 */
import type { DatabaseFault, Session } from "../database.ts";
import { faultOf } from "../fault.ts";
import { MigrationError } from "./record.ts";

/** A statement of a migration that computes new values for each row. */
interface Conversion {
  /** Table and column names as quoted in SQL; no column if the statement sets several. */
  readonly table: string;
  readonly column: string | undefined;
  /** Statement that does the same for the single row `each`, in PL/pgSQL. */
  readonly once: string;
  /** The type of the variable `made`. */
  readonly type: string;
}

const NAME = String.raw`"(?:[^"]|"")+"`;
const CLAUSE = new RegExp(String.raw`alter column (${NAME}) type (.+?) using \((.+)\)[,;]$`, "gm");
const ALTER = new RegExp(String.raw`^alter table (${NAME})\s`);
const UPDATE = new RegExp(String.raw`^(update (${NAME})\nset\s+(${NAME}) = [\s\S]+)\nwhere ([\s\S]+);$`);
/** The condition that limits a conversion to rows written meanwhile. The search removes it, to look at all rows. */
const LATE = /\n {2}and "id" in \(select [^()]* where "late"\)/;
const FUNCTION = /^create (?:or replace )?function [^$]+\$\$[\s\S]*?\$\$;/gm;

const inStatement = (statement: string): readonly Conversion[] => {
  const table = ALTER.exec(statement)?.[1];
  if (table !== undefined) {
    return [...statement.matchAll(CLAUSE)].map(([, column = "", type = "", value = ""]) => ({
      table,
      column,
      type,
      once: `select (${value}) into made from ${table} where "id" = each."id"`,
    }));
  }
  const [, update, updated, column, where] = UPDATE.exec(statement) ?? [];
  if (update === undefined || updated === undefined) return [];
  const isOne = !update.startsWith(`update ${updated}\nset\n`);
  return [
    {
      table: updated,
      column: isOne ? column : undefined,
      type: "text",
      once: `${update}\nwhere "id" = each."id" and (${(where ?? "").replace(LATE, "")})`,
    },
  ];
};

/** Finds the conversions among the generated statements, which are separated by empty lines. */
const conversionsIn = (sql: string): readonly Conversion[] =>
  sql.split(/;\n\n/).flatMap((part) => inStatement(`${part.trim().replace(/;$/, "")};`));

/** SQLSTATE of the error that reports the row that was found. */
const FOUND = "GALEY";

/** Time limit of the search. In larger tables the row may not be found, and the message does not name it. */
const PATIENCE = "20s";

/** SQL that tries a conversion row by row, and raises an error that identifies the first row that fails with `code`. */
const search = ({ table, once, type }: Conversion, code: string): string => `do $search$
declare
  each record;
  made ${type};
begin
  for each in select "id", "document_id" from ${table} order by "id" loop
    begin
      ${once};
    exception when others then
      if sqlstate = '${code}' then
        raise exception using errcode = '${FOUND}', message = format('row %s of document %s', each."id", each."document_id");
      end if;
    end;
  end loop;
end
$search$;`;

/** Finds the failing row. The attempts are rolled back. */
const rowIn = async (
  session: Session,
  functions: readonly string[],
  conversion: Conversion,
  code: string,
): Promise<string | undefined> => {
  try {
    await session.transaction(async (transaction) => {
      await transaction.script(`set local statement_timeout = '${PATIENCE}'`);
      for (const each of functions) await transaction.script(each);
      await transaction.script(search(conversion, code));
      throw new Error("no row fails by itself");
    });
    return undefined;
  } catch (error) {
    return faultOf(error)?.code === FOUND && error instanceof Error ? error.message : undefined;
  }
};

/** Errors of values that cannot be converted: wrong form or range, or refused by a check of the migration itself. */
const CONVERTS = /^(22...|23514|P0001)$/;

/** The column's name without quotes; for a column with converted values, the name of the original column. */
const unquote = (name: string): string =>
  name
    .slice(1, -1)
    .replaceAll('""', '"')
    .replace(/^galley_next_[0-9a-f]{8}_/, "");

/** Identifies the row at which a migration failed. Its statements must have been rolled back already. */
const findRow = async (session: Session, sql: string, { code }: DatabaseFault): Promise<string | undefined> => {
  if (!CONVERTS.test(code)) return undefined;
  const functions = sql.match(FUNCTION) ?? [];
  for (const conversion of conversionsIn(sql)) {
    const row = await rowIn(session, functions, conversion, code);
    if (row === undefined) continue;
    const { table, column } = conversion;
    return `${[table, ...(column === undefined ? [] : [column])].map(unquote).join(".")}, ${row}`;
  }
  return undefined;
};

/** The detail of an error. PostgreSQL prints the whole row for a violated constraint: then only table and column. */
const detailOf = ({ detail, table, column }: DatabaseFault): string | undefined => {
  if (detail === undefined || !detail.startsWith("Failing row contains")) return detail;
  return [table, column].filter((part) => part !== undefined).join(".");
};

/**
 * The error to show for a failed migration; returns errors that are not from PostgreSQL unchanged.
 *
 * @param sql the statements that failed and were rolled back
 * @param hint what to do, where that is known
 */
export const migrationFailure = async (
  session: Session,
  name: string,
  sql: string,
  error: unknown,
  hint: string,
): Promise<unknown> => {
  const fault = faultOf(error);
  if (!fault || !(error instanceof Error)) return error;
  const place = (await findRow(session, sql, fault)) ?? detailOf(fault);
  return new MigrationError(`${name}: ${error.message}${place ? ` (${place})` : ""}.${hint}`, { cause: error });
};
