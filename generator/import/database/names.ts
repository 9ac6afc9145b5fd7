/** Strapi's names for the tables and columns of its schemas. Version 5 limits their length, version 4 does not. */
import { createHash } from "node:crypto";

export type Major = 4 | 5;

const LONGEST = 55;
const HASH = 5;
/** Where PostgreSQL itself truncates a name. */
const CUT = 63;

const WORDS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\d+|[^\p{L}\d\s\p{P}\p{S}]+/gu;

/** `dateOf2` is `date_of_2`, `HTMLText` is `html_text`. */
export const snakeCase = (name: string): string =>
  (
    name
      .normalize("NFD")
      .replaceAll(/[\u0300-\u036F'\u2019]/g, "")
      .match(WORDS) ?? []
  )
    .join("_")
    .toLowerCase();

/** Shortens a part of a name to a prefix and a hash of the whole part. */
const cutTo = (length: number, part: string): string =>
  part.length <= length
    ? part
    : `${part.slice(0, length - HASH)}${createHash("shake256", { outputLength: 3 }).update(part).digest("hex").slice(0, HASH)}`;

/** The maximum length of each part: equal shares, plus what short parts leave over, one character at a time. */
const lengthsOf = (parts: readonly string[], available: number): readonly number[] => {
  const each = Math.floor(available / parts.length);
  const lengths = parts.map((part) => Math.min(part.length, each));
  let left = available - lengths.reduce((sum, length) => sum + length, 0);
  while (left > 0 && parts.some((part, index) => part.length > (lengths[index] ?? 0))) {
    for (const [index, part] of parts.entries()) {
      const length = lengths[index] ?? 0;
      if (left === 0 || length >= part.length) continue;
      lengths[index] = length + 1;
      left--;
    }
  }
  return lengths;
};

const joined = (parts: readonly string[], ending: string | undefined): string => {
  const endings = ending === undefined ? [] : [ending];
  const whole = [...parts, ...endings].join("_");
  if (whole.length <= LONGEST) return whole;
  const taken = endings.join("").length + parts.length + endings.length - 1;
  const lengths = lengthsOf(parts, LONGEST - taken);
  return [...parts.map((part, index) => cutTo(lengths[index] ?? 0, part)), ...endings].join("_");
};

const ENDINGS = {
  4: { links: "links", morphs: "morphs", components: "components" },
  5: { links: "lnk", morphs: "mph", components: "cmps" },
} as const;

export type Ending = keyof (typeof ENDINGS)[Major];

/** Possible names of a table or column made of `parts`, likeliest first. */
export const namesOf = (major: Major, parts: readonly string[], ending?: Ending): readonly string[] => {
  const end = ending && ENDINGS[major][ending];
  return [parts.map(snakeCase), parts].flatMap((each) => {
    const whole = [...each, ...(end === undefined ? [] : [end])].join("_");
    return major === 5 ? [joined(each, end)] : [whole, whole.slice(0, CUT)];
  });
};
