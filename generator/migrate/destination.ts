/** Where a migration leads: the model's tables, with what half-done renames keep beside them. */
import type { Correspondence } from "./correspondence.ts";
import { expandable, expandedIn, lostNames, withOldColumns } from "./expand.ts";
import { findRenames } from "./renames.ts";
import type { Expanded, Snapshot } from "./snapshot.ts";
import type { Risk } from "./step.ts";

interface Destination {
  readonly next: Snapshot;
  readonly risks: readonly Risk[];
}

const NOTHING =
  "there is nothing to expand: no attribute that is stored in a column or table is renamed, and names of types, of components " +
  "and of fields inside components cannot stand twice. Leave out --expand, and stop the processes of the older build " +
  "before `cms migrate`. Where they have to go on, add the new field beside the old one instead of renaming it";

const impossible = (next: Snapshot, reason: string): Destination => ({ next, risks: [{ flag: undefined, reason }] });

const join = (a: Expanded, b: Expanded): Expanded => ({
  columns: [...a.columns, ...b.columns],
  links: [...a.links, ...b.links],
});

/**
 * @param old the newest snapshot
 * @param bare what the model asks for by itself
 * @param phase whether renames are begun in two steps, or those that were begun are ended
 */
export const destination = (
  old: Snapshot,
  bare: Snapshot,
  correspondence: Correspondence,
  phase: "expand" | "contract" | undefined,
): Destination => {
  const begun = expandedIn(old);
  if (phase === "contract") {
    return old.expanded
      ? { next: bare, risks: [] }
      : impossible(bare, "there is nothing to contract: no rename was begun with --expand");
  }
  const lost = lostNames(begun, bare.tables);
  if (lost.length > 0) {
    return impossible(bare, `${lost.join(", ")} are still kept in step: finish that with --contract first`);
  }
  const renames = phase === "expand" ? expandable(findRenames(old, bare, correspondence), old, bare) : undefined;
  const expanded = renames ? join(begun, renames) : begun;
  if (expanded.columns.length + expanded.links.length === 0) {
    return phase === "expand" ? impossible(bare, NOTHING) : { next: bare, risks: [] };
  }
  return { next: { ...bare, tables: withOldColumns(bare.tables, old.tables, expanded), expanded }, risks: [] };
};
