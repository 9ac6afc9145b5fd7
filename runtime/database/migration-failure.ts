/** What is told of a migration that failed: table, column and row, and never what else stands in that row. */
import type { DatabaseFault, Session } from "./database.ts";
import { faultOf } from "./fault.ts";
import { MigrationError } from "./migration-error.ts";

/** A statement that makes values of each row anew. */
interface Conversion {
  /** Names as SQL has them; of several columns none. */
  readonly table: string;
  readonly column: string | undefined;
  /** Does the same to the row `each`, in the language of functions. */
  readonly once: string;
  /** The type of the variable `made`. */
  readonly type: string;
}

const NAME = String.raw`"(?:[^"]|"")+"`;
const CLAUSE = new RegExp(String.raw`alter column (${NAME}) type (.+?) using \((.+)\)[,;]$`, "gm");
const ALTER = new RegExp(String.raw`^alter table (${NAME})\s`);
const UPDATE = new RegExp(String.raw`^(update (${NAME})\nset\s+(${NAME}) = [\s\S]+)\nwhere ([\s\S]+);$`);
/** Of values that are made before the transaction, only those that are late are made within it: all are looked through. */
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

/** The conversions among generated statements, which stand apart by empty lines. */
const conversionsIn = (sql: string): readonly Conversion[] =>
  sql.split(/;\n\n/).flatMap((part) => inStatement(`${part.trim().replace(/;$/, "")};`));

/** Marks the error by which the search ends. */
const FOUND = "GALEY";

/** For how long it searches: of more rows than that takes, the message says the less. */
const PATIENCE = "20s";

/** Tries a conversion row by row, and raises what identifies the first one that fails as the migration did. */
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

/** Finds the row, and leaves nothing behind: what was tried is undone. */
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

/** Values that have no place where they go: wrong in form or range, or refused by a check of the migration's own. */
const CONVERTS = /^(22...|23514|P0001)$/;

/** The name without its quotes; of a column that is made beside another one, the name of that. */
const unquote = (name: string): string =>
  name
    .slice(1, -1)
    .replaceAll('""', '"')
    .replace(/^galley_next_[0-9a-f]{8}_/, "");

/** Which row it was, for a migration whose statements have been undone. */
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

/** PostgreSQL prints the whole row that breaks a rule. */
const detailOf = ({ detail, table, column }: DatabaseFault): string | undefined => {
  if (detail === undefined || !detail.startsWith("Failing row contains")) return detail;
  return [table, column].filter((part) => part !== undefined).join(".");
};

/**
 * The error to tell a person, for one that stopped a migration; any other error as it is.
 *
 * @param sql the statements that failed and were undone
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
