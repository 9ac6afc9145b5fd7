/** Follows populated members to their targets, for every kind of output. */
import type { EntryLevel, MemberPlan, RowLevel } from "../plan/plan.ts";
import { componentEntries, type Entry, zoneEntries, morphRows, relatedRows } from "../rows/follow.ts";
import type { Write, WriteRow } from "./output.ts";

/** How to write what one member leads to. */
export interface Targets<State, Out> {
  /** Composes the writer of documents or files. */
  row(level: RowLevel): WriteRow<State, Out>;
  /** Composes the writer of entries of a component or zone. */
  entry(level: EntryLevel): Write<State, Out, Entry>;
  /** Writes all items as a list, only the first of them, or their number. */
  items<Item>(state: State, items: readonly Item[], write: (item: Item) => Out): Out;
}

/** Composes the writer of a member, which takes the member's value from the row or from a component's JSON. */
export const memberWriter = <State, Out>(
  member: MemberPlan,
  targets: Targets<State, Out>,
): Write<State, Out, unknown> => {
  switch (member.kind) {
    case "lookup":
    case "join": {
      const write = targets.row(member.target);
      return (state, set, row, value) => {
        const { set: target = set, positions = [] } = relatedRows(set, member, value, row) ?? {};
        return targets.items(state, positions, (position) => write(state, target, position));
      };
    }
    case "morph": {
      const write = byLevel(
        [...member.groups.values()].map(({ target }) => target),
        (level) => targets.row(level),
      );
      return (state, set, row, value) =>
        targets.items(state, morphRows(set, member, value, row), ({ set: target, position }) =>
          write(target.level)(state, target, position),
        );
    }
    case "component": {
      const write = targets.entry(member.level);
      return (state, set, row, value) =>
        targets.items(state, componentEntries(member, value, row), (entry) => write(state, set, row, entry));
    }
    case "zone": {
      const write = byLevel<EntryLevel, Write<State, Out, Entry>>([...member.levels.values()], (level) =>
        targets.entry(level),
      );
      return (state, set, row, value) =>
        targets.items(state, zoneEntries(member, value, row), ({ level, entry }) =>
          write(level)(state, set, row, entry),
        );
    }
  }
};

/** The writers of several levels. */
const byLevel = <Level extends RowLevel | EntryLevel, Writer>(
  levels: readonly Level[],
  compose: (level: Level) => Writer,
): ((level: Level) => Writer) => {
  const writers = new Map(levels.map((level) => [level, compose(level)]));
  return (level) => {
    const writer = writers.get(level);
    if (writer === undefined) throw new Error(`rows of ${level.uid} are not part of the plan`);
    return writer;
  };
};
