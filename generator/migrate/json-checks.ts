/** Functions that a migration brings along for its own session, to stop where a value inside JSON has no place. */
import { literal } from "./sql.ts";

const SCHEMA = "pg_temp";

/** By the name under which statements call them. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  [`${SCHEMA}.galley_one_of`]: `create or replace function ${SCHEMA}.galley_one_of(value json, allowed text[], place text) returns json
language plpgsql as $$
begin
  if json_typeof(value) <> 'null' and value #>> '{}' <> all (allowed) then
    raise exception '% has the value "%", which is no longer allowed: change that first', place, value #>> '{}';
  end if;
  return value;
end
$$;`,
  [`${SCHEMA}.galley_fitting`]: `create or replace function ${SCHEMA}.galley_fitting(value text, longest integer, place text) returns text
language plpgsql as $$
begin
  if length(value) > longest then
    raise exception '% has a text of % characters, and % is the most: shorten it first', place, length(value), longest;
  end if;
  return value;
end
$$;`,
};

/** The value, when it is one of `allowed`. */
export const checkedValue = (value: string, allowed: readonly string[], place: string): string =>
  `${SCHEMA}.galley_one_of(${value}, array[${allowed.map(literal).join(", ")}]::text[], ${literal(place)})`;

/** The text, when the SQL type has room for it. */
export const checkedLength = (value: string, type: string, place: string): string => {
  const longest = /^varchar\((\d+)\)$/.exec(type)?.[1];
  return longest === undefined ? value : `${SCHEMA}.galley_fitting(${value}, ${longest}, ${literal(place)})`;
};

/** The functions that `statements` call. */
export const functionsFor = (statements: readonly string[]): readonly string[] =>
  Object.entries(FUNCTIONS)
    .filter(([name]) => statements.some((each) => each.includes(`${name}(`)))
    .map(([, definition]) => definition);
