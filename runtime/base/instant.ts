/** Parses instants as clients write them. */
import { ValidationError } from "./errors.ts";

const DATE =
  /^(?<year>\d{4})(?:-?(?<month>\d{2})(?:-?(?<day>\d{2}))?|-?(?<ordinal>\d{3})|-?W(?<week>\d{2})(?:-?(?<weekday>[1-7]))?)?$/i;
const TIME =
  /^(?<hour>\d{2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2})(?<fraction>[.,]\d{1,9})?)?)?(?<zone>Z|[+-]\d{2}(?::?\d{2})?)?$/i;

const DAY = 86_400_000;

/** Midnight of a calendar day; NaN if there is no such day. */
const dayOf = (year: string, month: string, day: string): number => {
  const iso = `${year}-${month}-${day}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso) ? time : Number.NaN;
};

/** Midnight of a day counted from the start of the year. */
const ordinalOf = (year: string, ordinal: number): number => {
  const time = dayOf(year, "01", "01") + (ordinal - 1) * DAY;
  return new Date(time).getUTCFullYear() === Number(year) ? time : Number.NaN;
};

/** Midnight of a day in a week: the first week is that of 4 January, and begins on a Monday. */
const weekOf = (year: string, week: number, weekday: number): number => {
  const fourth = dayOf(year, "01", "04");
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY;
  return week >= 1 && week <= 53 ? monday + ((week - 1) * 7 + weekday - 1) * DAY : Number.NaN;
};

const dateOf = (text: string): number => {
  // A two-digit year is a century.
  const groups = DATE.exec(/^\d{2}$/.test(text) ? `${text}00` : text)?.groups;
  if (groups?.["year"] === undefined) return Number.NaN;
  const { year, month = "01", day = "01", ordinal, week, weekday = "1" } = groups;
  if (ordinal !== undefined) return ordinalOf(year, Number(ordinal));
  return week === undefined ? dayOf(year, month, day) : weekOf(year, Number(week), Number(weekday));
};

/** Milliseconds after midnight, in UTC if no zone is given; a day may end at 24:00. */
const timeOf = (text: string): number => {
  const groups = TIME.exec(text)?.groups;
  if (groups === undefined) return Number.NaN;
  const { hour, minute = "0", second = "0", fraction = "", zone = "Z" } = groups;
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (hours > 24 || minutes > 59 || seconds > 59 || (hours === 24 && minutes + seconds > 0)) return Number.NaN;
  const thousandths = Math.trunc(Number(`0${fraction.replace(",", ".")}`) * 1000);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths - offsetOf(zone);
};

const offsetOf = (zone: string): number => {
  if (zone.toUpperCase() === "Z") return 0;
  const [hours, minutes] = [zone.slice(1, 3), zone.slice(3).replace(":", "")].map(Number);
  return (zone.startsWith("-") ? -1 : 1) * ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000;
};

const isoOf = (text: string): number => {
  const [date = "", time, ...more] = text.split(/[T ]/i);
  if (time === undefined) return dateOf(date);
  return more.length > 0 || /^\d{0,4}$/.test(date) ? Number.NaN : dateOf(date) + timeOf(time);
};

/**
 * An instant of the years 1 to 9999 as ISO text in UTC. Accepts ISO 8601, including week and ordinal dates, and whole
 * milliseconds since 1970; throws a ValidationError for anything else.
 */
export const toInstant = (value: unknown): string => {
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  const iso = isoOf(text);
  const parsed = new Date(Number.isNaN(iso) && /^-?\d+$/.test(text) ? Number(text) : iso);
  const year = parsed.getUTCFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) {
    throw new ValidationError("Invalid format, expected a timestamp or an ISO date");
  }
  return parsed.toISOString();
};
