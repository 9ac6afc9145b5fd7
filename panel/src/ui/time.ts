/** Formats and parses times for users. */

const parse = (text: string): Date | undefined => {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

const DAY = 86_400_000;

/** `12:30` for today, `3 Nov` for this year, with the year for other years. */
export const shortTime = (text: string, language: string): string => {
  const date = parse(text);
  if (!date) return text;
  const now = new Date();
  if (Math.abs(now.getTime() - date.getTime()) < DAY && now.getDate() === date.getDate())
    return date.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return date.toLocaleDateString(language, { day: "numeric", month: "short", ...year });
};

export const longTime = (text: string, language: string): string =>
  parse(text)?.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }) ?? text;

/** The instant so many days from now. */
export const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString();

/** The name of the browser's time zone. */
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The value of a `datetime-local` input for an instant. */
export const toLocal = (text: unknown): string => {
  const date = typeof text === "string" ? parse(text) : undefined;
  if (!date) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** The instant for the value of such an input; null for an empty one. */
export const fromLocal = (text: string): string | null => (text === "" ? null : (parse(text)?.toISOString() ?? null));
