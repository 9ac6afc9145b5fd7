/** Which old content types, components and attributes the new ones continue: by name, or by `renamedFrom`. */
import type { Attribute, Model } from "../../model/model.ts";
import { own } from "../own.ts";
import type { Snapshot } from "../snapshot.ts";
import { type Claim, takenOver } from "./claims.ts";
import type { Correspondence, FieldMove, Pair, Pairing } from "./pairings.ts";
import { attributeClaims, lastName, ownerClaims } from "./swaps.ts";

interface Declared {
  readonly uid: string;
  readonly renamedFrom: string | undefined;
  readonly attributes: readonly Attribute[];
}

type Outlines = Readonly<Record<string, { readonly attributes: Readonly<Record<string, unknown>> }>>;

const pairAttributes = (
  attributes: readonly Attribute[],
  known: Readonly<Record<string, unknown>>,
  hasTraded: (claim: Claim) => boolean,
): readonly Pair[] => {
  // An attribute's old name may be the name of a new one.
  const isKnown = (name: string): boolean => Object.hasOwn(known, name);
  const claims = takenOver(attributeClaims(attributes), isKnown, hasTraded, isKnown);
  const oldNames = new Map([...claims].map(([old, name]) => [name, old]));
  return attributes.flatMap(({ name }) => {
    const old = oldNames.get(name) ?? (claims.has(name) ? undefined : name);
    return old !== undefined && isKnown(old) ? [{ old, new: name }] : [];
  });
};

/** The old types or components, and which of their names were swapped to reach the present state. */
interface Known {
  readonly outlines: Outlines;
  readonly swapped: Readonly<Record<string, string>>;
}

const hasTraded =
  ({ swapped }: Known, prefix = "") =>
  ({ name, from }: Claim): boolean =>
    own(swapped, prefix + name) === from;

const pairing = ({ uid, attributes }: Declared, old: string, known: Known): readonly Pairing[] => {
  const outline = own(known.outlines, old);
  if (outline === undefined) return [];
  return [{ old, new: uid, attributes: pairAttributes(attributes, outline.attributes, hasTraded(known, `${old}.`)) }];
};

const pairOwners = (owners: readonly Declared[], known: Known) => {
  const isKnown = (uid: string): boolean => Object.hasOwn(known.outlines, uid);
  const claims = ownerClaims(owners, Object.keys(known.outlines));
  const taken = takenOver(claims, isKnown, hasTraded(known));
  const oldNames = new Map([...taken].map(([old, uid]) => [uid, old]));
  const sources = new Map(claims.map(({ name, from }) => [name, from]));
  return {
    pairings: owners.flatMap((owner) => {
      const old = oldNames.get(owner.uid) ?? (taken.has(owner.uid) ? undefined : owner.uid);
      return old === undefined ? [] : pairing(owner, old, known);
    }),
    /** Those that say they come from one that continues otherwise. */
    successors: owners.flatMap((owner) => {
      const old = sources.get(owner.uid);
      return old === undefined || oldNames.has(owner.uid) ? [] : pairing(owner, old, known);
    }),
  };
};

/** `renamedFrom` with a dot in it names the place that the field comes from. */
const findMoves = (owners: readonly Declared[], known: Outlines): readonly FieldMove[] =>
  owners.flatMap(({ uid, attributes }) =>
    attributes.flatMap(({ name, renamedFrom = "" }) => {
      const at = renamedFrom.lastIndexOf(".");
      const [owner, field] = [renamedFrom.slice(0, at), renamedFrom.slice(at + 1)];
      const isOwner = (each: string): boolean => each === owner || (each.includes("::") && lastName(each) === owner);
      const from = at > 0 ? Object.keys(known).find(isOwner) : undefined;
      return from === undefined ? [] : [{ from: { owner: from, name: field }, to: { owner: uid, name } }];
    }),
  );

export const correspond = (old: Snapshot, model: Model): Correspondence => {
  const swapped = old.swapped?.names ?? {};
  const components = pairOwners(model.components, { outlines: old.components, swapped });
  return {
    contentTypes: pairOwners(model.contentTypes, { outlines: old.contentTypes, swapped }).pairings,
    components: components.pairings,
    successors: components.successors,
    moves: findMoves([...model.contentTypes, ...model.components], { ...old.components, ...old.contentTypes }),
  };
};
