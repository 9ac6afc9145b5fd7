/** A change seen from its other side. */
import type { Change } from "./change.ts";
import type { AttributeHints } from "./convert.ts";
import { invert } from "./names/pairings.ts";

/** Renamed values in reverse. Conversions cannot be reversed, but their results can be read again. */
const invertHints = (
  hints: Change["hints"],
  { contentTypes, components }: Change["correspondence"],
): Change["hints"] => {
  const inverted = new Map<string, AttributeHints>();
  for (const pairing of [...contentTypes, ...components]) {
    for (const pair of pairing.attributes) {
      const { renamedValues: values, convert } = hints.get(`${pairing.new}.${pair.new}`) ?? {};
      const renamedValues = values && Object.fromEntries(Object.entries(values).map(([to, from]) => [from, to]));
      inverted.set(`${pairing.old}.${pair.old}`, {
        ...(renamedValues ? { renamedValues } : {}),
        ...(convert === undefined ? {} : { wasConverted: true }),
      });
    }
  }
  return inverted;
};

/** The way back. */
export const backwards = ({ old, next, correspondence, hints, defaultLocale }: Change): Change => ({
  old: next,
  next: old,
  correspondence: invert(correspondence),
  hints: invertHints(hints, correspondence),
  defaultLocale,
});
