/** Schemas for dates, times and instants. They use the same parsers as storing these values. */
import { z } from "zod";
import { toDate, toTime } from "../../base/dates.ts";
import { toInstant } from "../../base/instant.ts";

type Read = (value: unknown) => string;

const isReadable = (read: Read, value: string): boolean => {
  try {
    return read(value) !== "";
  } catch {
    return false;
  }
};

const readWith = (read: Read, format: string): (() => z.ZodString) => {
  const schema = z
    .string()
    .refine((value) => isReadable(read, value), { error: `Must be a ${format}` })
    .meta({ format });
  return () => schema;
};

/** The current time; as a default, the time of creation. */
export const now = (): string => new Date().toISOString();

/** A day, such as `2024-05-01`. */
export const date: () => z.ZodString = readWith(toDate, "date");
/** A time of day with seconds, such as `12:30:00`. */
export const time: () => z.ZodString = readWith(toTime, "time");
/** An instant, as ISO 8601 text. */
export const datetime: () => z.ZodString = readWith(toInstant, "date-time");
