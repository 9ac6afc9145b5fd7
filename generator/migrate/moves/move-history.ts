/** Migrates stored document versions too: to the new attribute names, and to the current components. */
import { identifier } from "../../../runtime/base/identifier.ts";
import { type Change, type Findings, pairedComponents, pairedTypes } from "../change.ts";
import type { EntryChange } from "../components/json-change.ts";
import type { Pair } from "../names/pairings.ts";
import { own } from "../own.ts";
import type { Snapshot } from "../snapshot.ts";
import { literal, quote } from "../sql.ts";

export const VERSIONS = "document_versions";

/** Whether versions are kept before and after. */
export const keepsVersions = ({ old, next }: Change): boolean =>
  own(old.tables, VERSIONS) !== undefined && own(next.tables, VERSIONS) !== undefined;

/** Whether a snapshot does not record which types keep versions. */
const isUnclear = ({ history, tables }: Snapshot): boolean => !history && own(tables, VERSIONS) !== undefined;

/** Types that continue, and of which versions are kept from now on, or no longer; none where that is not recorded. */
export const historyTurns = (
  change: Change,
): { readonly come: readonly string[]; readonly gone: readonly string[] } => {
  const { old, next } = change;
  const pairings = isUnclear(old) || isUnclear(next) ? [] : change.correspondence.contentTypes;
  const turning = (from: Snapshot, to: Snapshot, [was, is]: readonly ["old" | "new", "old" | "new"]) =>
    pairings.flatMap((pair) => (to.history?.includes(pair[is]) && !from.history?.includes(pair[was]) ? pair.new : []));
  return { come: turning(old, next, ["old", "new"]), gone: turning(next, old, ["new", "old"]) };
};

/** The changes to the JSON of an attribute with components. */
export interface RewrittenEntries {
  readonly uid: string;
  /** The attribute's old name. */
  readonly name: string;
  /** From the SQL of the old value to that of the new one. */
  value(sql: string): string;
}

/** Versions keep dropped attributes: entries that lose component fields stay as they were. */
const dropsFields = (change: Change): boolean =>
  pairedComponents(change).some(
    ({ pairing, before }) => pairing.attributes.length < Object.keys(before.attributes).length,
  );

/** Conversions that stop a migration at values that do not fit: checks, casts, and the project's own. */
const STOPS = /galley_(?:one_of|fitting)\(|\)::|\(select /;

/**
 * Whether a value could stop the migration. Values of the content can be fixed first, but those of versions cannot:
 * their entries then stay as they were.
 */
export const mayStop = ({ steps }: EntryChange): boolean =>
  steps.some(
    (step) => step.kind === "change" && step.steps.some((each) => each.kind === "sql" && STOPS.test(each.value)),
  );

/** Whether versions hold the attribute under both names, before or after. */
const isInStep = ({ old, next }: Change, type: string, pair: Pair): boolean =>
  [old, next].some(({ expanded }) =>
    expanded?.versions?.some(
      (each) => each.type === type && [each.old, each.new].every((name) => name === pair.old || name === pair.new),
    ),
  );

const caseOf = (value: string, cases: readonly (readonly [when: string, then: string])[]): string =>
  cases.length === 0
    ? value
    : `case ${cases.map(([when, then]) => `when ${when} then ${then}`).join(" ")} else ${value} end`;

export const moveHistory = (findings: Findings, change: Change, rewritten: readonly RewrittenEntries[]): void => {
  if (!keepsVersions(change)) return;
  for (const { pairing } of pairedTypes(change)) {
    const renamed = pairing.attributes.filter((pair) => pair.old !== pair.new && !isInStep(change, pairing.new, pair));
    const entries = dropsFields(change) ? [] : rewritten.filter(({ uid }) => uid === pairing.new);
    if (renamed.length + entries.length === 0) continue;
    const names = renamed.map((pair): [string, string] => [
      `key = ${literal(identifier(pair.old))}`,
      literal(identifier(pair.new)),
    ]);
    const values = entries.map(({ name, value }): [string, string] => [
      `key = ${literal(identifier(name))} and json_typeof(value) <> 'null'`,
      value("value"),
    ]);
    // A value dropped under a name that another attribute takes now makes room for it.
    const taken = renamed
      .map((pair) => literal(identifier(pair.new)))
      .filter((name) => !names.some(([when]) => when === `key = ${name}`));
    const where = taken.length === 0 ? "" : ` where key not in (${taken.join(", ")})`;
    const changed = `(select json_agg(${caseOf("key", names)}) from json_array_elements_text("changed") as key)`;
    findings.held.add(VERSIONS);
    findings.draft.steps.push({
      stage: "move",
      sql:
        `update ${quote(VERSIONS)}\nset "content" = (select json_object_agg(${caseOf("key", names)}, ${caseOf("value", values)})\n` +
        `    from json_each("content")${where}),\n  "changed" = coalesce(${changed}, "changed")\nwhere "type" = ${literal(pairing.new)};`,
      does: `carries the versions of ${pairing.new} along`,
    });
  }
};
