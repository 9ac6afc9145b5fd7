/** One way of a migration: every part of it, in the order in which they build on each other. */
import type { Change, Findings } from "./change.ts";
import { clearNames } from "./clear-names.ts";
import { diffSequences, diffTables } from "./diff.ts";
import { expandedIn, withoutExpanded } from "./expand.ts";
import { fillColumns } from "./fill-defaults.ts";
import { columnConverts } from "./hints.ts";
import { lackingFrom } from "./lacking.ts";
import { moveComponents } from "./move-components.ts";
import { moveInStep } from "./move-in-step.ts";
import { moveKinds } from "./move-kinds.ts";
import { moveLinks } from "./move-links.ts";
import { moveNames } from "./move-names.ts";
import { moveSides } from "./move-sides.ts";
import { moveVersions } from "./move-versions.ts";
import { overlooked } from "./overlooked.ts";
import { findRenames, renameParts, renameSteps, renameTables } from "./renames.ts";
import type { Snapshot } from "./snapshot.ts";
import { quoteAll } from "./sql.ts";
import type { Draft, Step } from "./step.ts";
import { tellOutline } from "./tell-outline.ts";

/** Link tables that go when their type goes. */
const linkOwners = ({ tables }: Snapshot): Map<string, string> =>
  new Map(
    Object.entries(tables).flatMap(([name, { foreignKeys }]) =>
      Object.values(foreignKeys)
        .filter(({ columns }) => columns[0] === "version_id")
        .map(({ table }) => [name, table] as const),
    ),
  );

/** Whatever is written while content moves must not stay behind. Readers go on. */
const holdWrites = ({ draft, moved }: Findings): void => {
  if (moved.size === 0) return;
  draft.steps.push({
    stage: "lock",
    sql: `lock table ${quoteAll([...moved].sort())} in share row exclusive mode;`,
    does: "",
    locks: `${[...moved].sort().join(", ")}: writes, while content is moved: up to a minute for a million rows`,
  });
};

/** Adds to `draft` what leads from one side of a change to the other. */
export const goOneWay = (change: Change, draft: Draft): void => {
  const findings: Findings = {
    draft,
    initial: new Map(),
    converts: columnConverts(change),
    conversions: new Map(),
    settled: new Set(),
    prepared: new Set(),
    moved: new Set(),
  };
  const { old, next, correspondence } = change;
  const renames = withoutExpanded(findRenames(old, next, correspondence), old, next);
  const cleared = clearNames(draft, old.tables, renames);
  draft.steps.push(...renameSteps(renames, new Set(expandedIn(next).links.map((link) => link.old))));
  const parts = renameParts(renameTables(cleared, renames), change.next.tables);
  draft.steps.push(...parts.steps);
  moveInStep(findings, change);
  moveNames(findings, change);
  moveKinds(findings, change);
  fillColumns(findings, change);
  moveVersions(findings, change);
  moveLinks(findings, change);
  moveSides(findings, change);
  moveComponents(findings, change);
  holdWrites(findings);
  draft.overlooked.push(...overlooked(change));
  draft.lacking.push(...lackingFrom(change));
  // Where everything comes anew there is nobody who knew it otherwise.
  if (Object.keys(old.tables).length > 0 && Object.keys(next.tables).length > 0)
    draft.steps.push(...tellOutline(change).map((does): Step => ({ stage: "create", sql: "", does })));
  const removed = new Set(Object.keys(parts.tables).filter((name) => !Object.hasOwn(change.next.tables, name)));
  const owners = new Map(
    [...linkOwners({ ...change.old, tables: parts.tables })].filter(([, owner]) => removed.has(owner)),
  );
  diffSequences(draft, change.old.sequences, change.next.sequences);
  diffTables(draft, parts.tables, change.next.tables, { ...findings, owners });
};
