/** Dates and times as bodies write them, in the form in which they are stored. Faults are ValidationErrors. */
import { ValidationError } from "../errors.ts";

/** `YYYY-MM-DD`; what follows the day is cut off. */
export const toDate = (value: unknown): string => {
  const day = /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(String(value))?.[0];
  if (typeof value !== "string" || day === undefined) throw new ValidationError("Invalid format, expected yyyy-MM-dd");
  const parsed = new Date(`${day}T00:00:00Z`);
  if (day.startsWith("0000") || Number.isNaN(parsed.getTime()) || !parsed.toISOString().startsWith(day)) {
    throw new ValidationError("Invalid date");
  }
  return day;
};

/** `HH:mm:ss` with up to three digits of a second's fraction. */
export const toTime = (value: unknown): string => {
  if (typeof value !== "string") throw new ValidationError(`Expected a string, got a ${typeof value}`);
  if (!/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?$/.test(value)) {
    throw new ValidationError("Invalid time format, expected HH:mm:ss.SSS");
  }
  return value;
};

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const parse = (value: unknown): Date => {
  if (typeof value === "number") return new Date(value);
  if (typeof value !== "string") return new Date(Number.NaN);
  const text = value.trim();
  if (/^-?\d{5,}$/.test(text)) return new Date(Number(text));
  if (!ISO.test(text)) return new Date(Number.NaN);
  const zoned = /[T ]/.test(text) && !/(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(text) ? `${text}Z` : text;
  return new Date(
    zoned
      .replace(",", ".")
      .replace(/([+-]\d{2})(\d{2})?$/, (all, hours: string, minutes?: string) =>
        /[T ]/.test(zoned) && zoned.length > 13 ? `${hours}:${minutes ?? "00"}` : all,
      ),
  );
};

/** An instant, from ISO 8601 or epoch milliseconds; text without a zone is UTC. */
export const toInstant = (value: unknown): string => {
  const parsed = parse(value);
  const year = parsed.getUTCFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) {
    throw new ValidationError("Invalid format, expected a timestamp or an ISO date");
  }
  return parsed.toISOString();
};
