/** Instants as columns hold them: in UTC, without a time zone. */
import { sql } from "drizzle-orm";
import { requiredText, type Value } from "./database.ts";

/** The current time by the database's clock, which all processes share. */
export const NOW = sql`(now() at time zone 'utc')`;

const dateOf = (printed: string): Date => new Date(`${printed.replace(" ", "T")}Z`);

/** The instant in a `timestamp` column. */
export const instantOf = (value: Value | undefined): Date | null => (typeof value === "string" ? dateOf(value) : null);

/** The same as text with milliseconds, for a column that cannot be null. */
export const instantText = (value: Value | undefined): string => dateOf(requiredText(value)).toISOString();
