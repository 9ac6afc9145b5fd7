/** Relations that continue, but are stored by their other side from now on. */
import { type Change, continuing } from "../change.ts";
import { own } from "../own.ts";
import type { AttributeOutline, Snapshot } from "../snapshot.ts";

export type Relation = Extract<AttributeOutline, { kind: "relation" }>;

/** A side of a relation that stores it. */
export type StoringSide = NonNullable<ReturnType<typeof storingSide>>;

export interface SideMove {
  /** Its old state. */
  readonly from: StoringSide;
  readonly to: StoringSide;
}

const isStored = ({ column, link }: Relation): boolean => column !== undefined || link !== undefined;

/** The relation that `name` of the type `uid` stores by itself; undefined for anything else. */
const storingSide = ({ contentTypes }: Snapshot, uid: string, name: string) => {
  const attribute = own(contentTypes[uid]?.attributes, name);
  // Only one side can store a polymorphic relation.
  if (attribute?.kind !== "relation" || attribute.target === undefined || !isStored(attribute)) return undefined;
  return { uid, name, attribute };
};

const stepsAside = (was: Relation, is: Relation): is is Relation & { target: string; storedBy: string } =>
  isStored(was) && is.storedBy !== undefined && is.target !== undefined;

/** The old and new storage of each relation that moves to its other side. */
export const findSideMoves = (change: Change): readonly SideMove[] => {
  const { old, next, correspondence } = change;
  const newUid = new Map(correspondence.contentTypes.map((pairing) => [pairing.old, pairing.new]));
  const pairs = continuing(change);
  /** A side that keeps its links, or already has links of its own. */
  const staysStored = new Set(
    pairs.flatMap(({ pairing, pair }) => {
      const [was, is] = [storingSide(old, pairing.old, pair.old), storingSide(next, pairing.new, pair.new)];
      return was && is ? [`${was.uid}#${was.name}`, `new ${is.uid}#${is.name}`] : [];
    }),
  );
  const moves = new Map<string, SideMove>();
  const note = (from: StoringSide | undefined, to: StoringSide | undefined): void => {
    if (!from || !to || staysStored.has(`${from.uid}#${from.name}`) || staysStored.has(`new ${to.uid}#${to.name}`)) {
      return;
    }
    moves.set(`${from.uid}#${from.name}`, { from, to });
  };
  for (const { pairing, pair, was: before, is: after } of pairs) {
    if (before.kind !== "relation" || after.kind !== "relation") continue;
    if (before.target === undefined || newUid.get(before.target) !== after.target) continue;
    if (stepsAside(before, after)) {
      note(storingSide(old, pairing.old, pair.old), storingSide(next, after.target, after.storedBy));
    } else if (stepsAside(after, before)) {
      note(storingSide(old, before.target, before.storedBy), storingSide(next, pairing.new, pair.new));
    }
  }
  return [...moves.values()];
};
