const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Converts a duration such as `30d` to seconds; the configuration has already checked its form. */
export const secondsOf = (duration: string): number => {
  const unit = units[duration.slice(-1)];
  if (unit === undefined) throw new Error(`"${duration}" is not a duration.`);
  return Number.parseInt(duration, 10) * unit;
};
