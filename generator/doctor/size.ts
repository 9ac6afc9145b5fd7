/** Formats amounts for people. */

const UNITS = ["kB", "MB", "GB", "TB"];

/** Such as `about 12 MB`. */
export const about = (bytes: number | undefined): string => {
  if (bytes === undefined) return "an unknown amount";
  let [value, unit] = [Math.max(bytes / 1024, 1), 0];
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1024;
  return `about ${value.toPrecision(value < 9.95 ? 2 : 3).replace(/\.0+$/, "")} ${UNITS[unit]}`;
};

/** Such as `120,000`. */
export const grouped = (count: number): string => Math.round(count).toLocaleString("en-US");
