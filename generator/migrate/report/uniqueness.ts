/** Attributes with unique values: read from their unique indexes, since outlines do not record it. */
import { type Change, continuing } from "../change.ts";
import type { AttributeOutline, Snapshot } from "../snapshot.ts";
import { quote } from "../sql.ts";

const isUnique = ({ tables }: Snapshot, table: string, attribute: AttributeOutline): boolean =>
  attribute.kind === "scalar" &&
  Object.values(tables[table]?.indexes ?? {}).some(
    ({ unique, on }) => unique && on[0]?.includes(quote(attribute.column)),
  );

/** Places of attributes that continue and become unique, or cease to be. */
export const uniqueness = (change: Change): { readonly come: readonly string[]; readonly gone: readonly string[] } => {
  const all = continuing(change).map(({ place, before, after, ...attribute }) => ({
    place,
    was: isUnique(change.old, before.table, attribute.was),
    is: isUnique(change.next, after.table, attribute.is),
  }));
  return {
    come: all.filter(({ was, is }) => is && !was).map(({ place }) => place),
    gone: all.filter(({ was, is }) => was && !is).map(({ place }) => place),
  };
};
