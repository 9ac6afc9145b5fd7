/** One direction of a migration: all of its parts, in order of dependency. */
import type { Change, Findings } from "./change.ts";
import { columnDefaults, fillColumns } from "./components/fill-defaults.ts";
import { moveComponents } from "./components/move-components.ts";
import { hideLinks } from "./links/hide-links.ts";
import { moveLinks } from "./links/move-links.ts";
import { moveSides } from "./links/move-sides.ts";
import { moveInStep } from "./moves/move-in-step.ts";
import { moveKinds } from "./moves/move-kinds.ts";
import { moveNames } from "./moves/move-names.ts";
import { linkOwners, moveVersions } from "./moves/move-versions.ts";
import { shareValues } from "./moves/shared-values.ts";
import { turnSingle } from "./moves/single-types.ts";
import { expandedIn, withoutExpanded } from "./names/expand.ts";
import { renameParts } from "./names/rename-parts.ts";
import { findRenames, namesBefore, type Renames, renameSteps, renameTables } from "./names/renames.ts";
import { setAside } from "./names/set-aside.ts";
import { lackingFrom } from "./report/lacking.ts";
import { overlooked } from "./report/overlooked.ts";
import { tellOutline } from "./report/tell-outline.ts";
import { quoteAll } from "./sql.ts";
import type { Draft, Step } from "./step.ts";
import { diffSequences, diffTables } from "./tables/diff.ts";
import { replaceableColumns } from "./tables/replaced-columns.ts";

const MOVES = "while content is moved: up to a minute for a million rows";

/** Tables that an early statement locks even against readers for the rest of the transaction. */
const closedEarly = ({ steps }: Draft, tables: readonly string[]): ReadonlySet<string> =>
  new Set(
    tables.filter((table) =>
      steps.some(
        ({ stage, locks }) => (stage === "rename" || stage === "create") && locks?.startsWith(`${table}: everything`),
      ),
    ),
  );

/** Blocks writes that would be lost while content moves. Readers continue, unless an earlier statement blocks them. */
const holdWrites = ({ draft, moved, held }: Findings): void => {
  const all = [...new Set([...moved, ...held])].sort();
  if (all.length === 0) return;
  const closed = closedEarly(draft, all);
  draft.steps.push({ stage: "lock", sql: `lock table ${quoteAll(all)} in share row exclusive mode;` });
  for (const what of ["writes", "everything"]) {
    const tables = all.filter((table) => moved.has(table) && closed.has(table) === (what === "everything"));
    if (tables.length > 0)
      draft.steps.push({ stage: "lock", sql: "", locks: `${tables.join(", ")}: ${what}, ${MOVES}` });
  }
};

/** Hand-written conversions by column. */
const columnConverts = ({ next, hints }: Change): Map<string, string> => {
  const converts = new Map<string, string>();
  for (const [uid, { table, attributes }] of Object.entries(next.contentTypes)) {
    for (const [name, attribute] of Object.entries(attributes)) {
      const convert = hints.get(`${uid}.${name}`)?.convert;
      if (convert !== undefined && attribute.column !== undefined)
        converts.set(`${table}.${attribute.column}`, convert);
    }
  }
  return converts;
};

const findingsOf = (change: Change, draft: Draft, present: Findings["present"]): Findings => ({
  draft,
  present,
  initial: new Map(),
  converts: columnConverts(change),
  conversions: new Map(),
  settled: new Set(),
  revalued: new Map(),
  replaceable: replaceableColumns(change),
  held: new Set(),
  remaining: new Map(),
  prepared: new Set(),
  moved: new Set(),
});

const build = (change: Change, renames: Renames, draft: Draft, isAside: (name: string) => boolean): void => {
  const { old, next } = change;
  draft.steps.push(...renameSteps(renames, new Set(expandedIn(next).links.map((link) => link.old)), isAside));
  const parts = renameParts(renameTables(old.tables, renames), next.tables);
  draft.steps.push(...parts.steps);
  const findings = findingsOf(change, draft, parts.tables);
  moveInStep(findings, change);
  moveNames(findings, change);
  moveKinds(findings, change);
  fillColumns(findings, change);
  moveVersions(findings, change);
  turnSingle(findings, change);
  shareValues(findings, change);
  hideLinks(findings, change);
  moveLinks(findings, change);
  moveSides(findings, change);
  moveComponents(findings, change);
  draft.overlooked.push(...overlooked(change));
  draft.lacking.push(...lackingFrom(change));
  // If one side is empty, there is nothing to compare it with.
  if (Object.keys(old.tables).length > 0 && Object.keys(next.tables).length > 0)
    draft.steps.push(...tellOutline(change).map((does): Step => ({ stage: "create", sql: "", does })));
  const removed = new Set(Object.keys(parts.tables).filter((name) => !Object.hasOwn(next.tables, name)));
  // Link tables that are dropped with their type.
  const owners = new Map(linkOwners(parts.tables).filter(([, owner]) => removed.has(owner)));
  diffSequences(draft, old.sequences, next.sequences);
  diffTables(draft, parts.tables, next.tables, {
    ...findings,
    owners,
    before: namesBefore(renames),
    defaults: columnDefaults(old),
  });
  holdWrites(findings);
};

/** Adds to `draft` what leads from one side of a change to the other. */
export const goOneWay = (given: Change, draft: Draft): void => {
  const { old, next, correspondence } = given;
  const found = withoutExpanded(findRenames(old, next, correspondence), old, next);
  const { change, renames, named } = setAside(given, found);
  const parts: Draft = {
    ...draft,
    steps: [],
    risks: [],
    losses: [],
    concerns: [],
    naming: (place) => draft.naming(named(place)),
  };
  build(change, renames, parts, (name) => named(name) !== name);
  const told = (step: Step): Step => ({
    ...step,
    does: step.does && named(step.does),
    locks: step.locks && named(step.locks),
    loses: step.loses && named(step.loses),
  });
  draft.steps.push(...parts.steps.map(told));
  draft.risks.push(...parts.risks.map((risk) => ({ ...risk, reason: named(risk.reason) })));
  draft.losses.push(...parts.losses.map(named));
  draft.concerns.push(...parts.concerns.map((each) => ({ ...each, what: named(each.what), sql: named(each.sql) })));
};
