/**
 * Converts dates and times in bodies to the form in which they are stored. Throws ValidationErrors for invalid ones.
 */
import { ValidationError } from "./errors.ts";

/** Days that every month of every year has. */
const inEveryMonth = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;

/** Whether a text `YYYY-MM-DD` is a day of the years 1 to 9999. */
export const isDay = (text: string): boolean => {
  if (inEveryMonth.test(text)) return true;
  const parsed = new Date(`${text}T00:00:00Z`);
  return !text.startsWith("0000") && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
};

/** A date as `YYYY-MM-DD`; anything after the day is dropped. */
export const toDate = (value: unknown): string => {
  const day = /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(String(value))?.[0];
  if (typeof value !== "string" || day === undefined) throw new ValidationError("Invalid format, expected yyyy-MM-dd");
  if (!isDay(day)) throw new ValidationError("Invalid date");
  return day;
};

/** A time as `HH:mm:ss`, with up to three digits of a second's fraction. */
export const toTime = (value: unknown): string => {
  if (typeof value !== "string") throw new ValidationError(`Expected a string, got a ${typeof value}`);
  if (!/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?$/.test(value)) {
    throw new ValidationError("Invalid time format, expected HH:mm:ss.SSS");
  }
  return value;
};
