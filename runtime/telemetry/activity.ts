/** Counts the requests of this process in each hour of the last day, for the panel. */
import type { ObserveRequest } from "./observe.ts";

interface Counts {
  requests: number;
  /** Those that the server refused, with a status from 400 to 499. */
  refused: number;
  /** Those that failed, with a status of 500 or more. */
  failed: number;
}

const HOUR = 3_600_000;
const HOURS = 24;

const hourOf = (instant: number): number => Math.floor(instant / HOUR);

const atHour = (hour: number): string => new Date(hour * HOUR).toISOString();

export const createActivity = (now: () => number = Date.now) => {
  const since = new Date(now()).toISOString();
  const counted = new Map<number, Counts>();

  const currentCounts = (): Counts => {
    const hour = hourOf(now());
    let counts = counted.get(hour);
    if (!counts) {
      counts = { requests: 0, refused: 0, failed: 0 };
      counted.set(hour, counts);
      for (const old of counted.keys()) if (old <= hour - HOURS) counted.delete(old);
    }
    return counts;
  };

  const observe: ObserveRequest = ({ status }) => {
    const counts = currentCounts();
    counts.requests += 1;
    if (status >= 500) counts.failed += 1;
    else if (status >= 400) counts.refused += 1;
  };

  return {
    observe,
    /** The last 24 hours, oldest first, and the instant since which this process counts. */
    read: () => ({
      since,
      hours: Array.from({ length: HOURS }, (_none, index) => {
        const hour = hourOf(now()) - HOURS + 1 + index;
        return { at: atHour(hour), ...(counted.get(hour) ?? { requests: 0, refused: 0, failed: 0 }) };
      }),
    }),
  };
};
