import { VERSIONS } from "./moves/move-history.ts";
import { expandable, expandedIn, lostNames, withOldColumns } from "./names/expand.ts";
/** The target of a migration: the model's tables, and the second names that half-done renames keep. */
import type { Correspondence } from "./names/pairings.ts";
import { findRenames, type Renames } from "./names/renames.ts";
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

const columnsIn = ({ tables }: Snapshot, table: string): object => tables[table]?.columns ?? {};

const isTwice = (before: object, after: object, was: string, is: string): boolean =>
  Object.hasOwn(before, is) || Object.hasOwn(after, was);

/** Renames in which a name means something else on the other side, such as a swap. */
const usedTwice = ({ tables, columns }: Renames, old: Snapshot, bare: Snapshot): readonly string[] => {
  return [
    ...[...columns].flatMap(([table, names]) =>
      [...names]
        .filter(([was, is]) => isTwice(columnsIn(old, table), columnsIn(bare, tables.get(table) ?? table), was, is))
        .map(([was, is]) => `${table}.${was} to ${is}`),
    ),
    ...[...tables].filter(([was, is]) => isTwice(old.tables, bare.tables, was, is)).map((names) => names.join(" to ")),
  ];
};

const impossible = (next: Snapshot, reason: string): Destination => ({ next, risks: [{ flag: undefined, reason }] });

const join = (a: Expanded, b: Expanded): Expanded => {
  const versions = [...(a.versions ?? []), ...(b.versions ?? [])];
  return {
    columns: [...a.columns, ...b.columns],
    links: [...a.links, ...b.links],
    ...(versions.length === 0 ? {} : { versions }),
  };
};

/** Half-done renames, without those in versions that are no longer kept. */
const continued = ({ versions, ...begun }: Expanded, { tables }: Snapshot): Expanded =>
  versions && Object.hasOwn(tables, VERSIONS) ? { ...begun, versions } : begun;

/** Types with half-done renames that take another uid. */
const lostTypes = ({ versions = [] }: Expanded, { contentTypes }: Snapshot): readonly string[] =>
  versions
    .filter(({ type }) => !Object.hasOwn(contentTypes, type))
    .map(({ type, ...names }) => `${type}.${names.old} and ${names.new}`);

/** Renamed attributes of types that keep versions, before and after. */
const renamedIn = ({ tables }: Snapshot, bare: Snapshot, { contentTypes }: Correspondence): Expanded["versions"] =>
  contentTypes
    .filter((pairing) => Object.hasOwn(tables, VERSIONS) && bare.history?.includes(pairing.new))
    .flatMap(({ new: type, attributes }) =>
      attributes.filter((pair) => pair.old !== pair.new).map((pair) => ({ type, old: pair.old, new: pair.new })),
    );

/**
 * @param old the newest snapshot
 * @param bare what the model alone asks for
 * @param phase whether to begin two-step renames, or to end those that were begun
 */
export const destination = (
  old: Snapshot,
  bare: Snapshot,
  correspondence: Correspondence,
  phase: "expand" | "contract" | undefined,
): Destination => {
  const begun = continued(expandedIn(old), bare);
  if (phase === "contract") {
    return old.expanded
      ? { next: bare, risks: [] }
      : impossible(bare, "there is nothing to contract: no rename was begun with --expand");
  }
  const lost = [...lostNames(begun, bare.tables), ...lostTypes(begun, bare)];
  if (lost.length > 0) {
    return impossible(bare, `${lost.join(", ")} are still kept in step: finish that with --contract first`);
  }
  const found = findRenames(old, bare, correspondence);
  const twice = phase === "expand" ? usedTwice(found, old, bare) : [];
  if (twice.length > 0) {
    return impossible(
      bare,
      `${twice.join(", ")}: one of these names stands for something else before or afterwards, and while a rename is half ` +
        "done both are taken. Choose a name that is free, or leave out --expand and stop the processes of the older build",
    );
  }
  const renames = phase === "expand" ? expandable(found, old, bare) : undefined;
  const expanded = renames ? join(begun, { ...renames, versions: renamedIn(old, bare, correspondence) }) : begun;
  if (expanded.columns.length + expanded.links.length === 0) {
    return phase === "expand" ? impossible(bare, NOTHING) : { next: bare, risks: [] };
  }
  return { next: { ...bare, tables: withOldColumns(bare.tables, old.tables, expanded), expanded }, risks: [] };
};
