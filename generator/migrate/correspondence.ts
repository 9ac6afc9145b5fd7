/** Which old content types, components and attributes the new ones continue: by name, or by `renamedFrom`. */
import type { Attribute, Model } from "../model/model.ts";
import type { Snapshot } from "./snapshot.ts";

/** Names on both sides of a migration. */
export interface Pair {
  readonly old: string;
  readonly new: string;
}

export interface Pairing extends Pair {
  readonly attributes: readonly Pair[];
}

/** A field of a type or component: the uid of that, and its name. */
interface FieldPlace {
  readonly owner: string;
  readonly name: string;
}

/** A field that goes on in another type or component. */
export interface FieldMove {
  readonly from: FieldPlace;
  readonly to: FieldPlace;
}

export interface Correspondence {
  /** By uid. */
  readonly contentTypes: readonly Pairing[];
  readonly components: readonly Pairing[];
  /** Components that say they come from one that is still there: what held that, and holds this one now, is carried over. */
  readonly successors: readonly Pairing[];
  readonly moves: readonly FieldMove[];
}

interface Declared {
  readonly uid: string;
  readonly renamedFrom: string | undefined;
  readonly attributes: readonly Attribute[];
}

type Outlines = Readonly<Record<string, { readonly attributes: Readonly<Record<string, unknown>> }>>;

/**
 * The attributes that take over an old name, by that. A rename that was migrated before still stands in the schema: it
 * means nothing while its attribute has its own name on record already, unless another one takes that over.
 */
const findClaims = (
  attributes: readonly Attribute[],
  known: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> => {
  const claims = new Map<string, string>();
  const isFree = (name: string): boolean => !Object.hasOwn(known, name) || claims.has(name);
  for (let before = -1; claims.size > before;) {
    before = claims.size;
    for (const { name, renamedFrom } of attributes) {
      if (renamedFrom === undefined || claims.has(renamedFrom) || !Object.hasOwn(known, renamedFrom)) continue;
      if (isFree(name) && ![...claims.values()].includes(name)) claims.set(renamedFrom, name);
    }
  }
  return claims;
};

const pairAttributes = (
  attributes: readonly Attribute[],
  known: Readonly<Record<string, unknown>>,
): readonly Pair[] => {
  const claims = findClaims(attributes, known);
  const oldNames = new Map([...claims].map(([old, name]) => [name, old]));
  return attributes.flatMap(({ name }) => {
    const old = oldNames.get(name) ?? (claims.has(name) ? undefined : name);
    return old !== undefined && Object.hasOwn(known, old) ? [{ old, new: name }] : [];
  });
};

/** `article` of `api::article.article`, `seo` of `shared.seo`. */
const lastName = (uid: string): string => uid.slice(uid.lastIndexOf(".") + 1);

const pairOwners = (owners: readonly Declared[], known: Outlines): readonly Pairing[] => {
  const current = new Set(owners.map(({ uid }) => uid));
  const vanished = Object.keys(known).filter((uid) => !current.has(uid));
  return owners.flatMap(({ uid, renamedFrom, attributes }) => {
    const old = Object.hasOwn(known, uid)
      ? uid
      : vanished.find((each) => renamedFrom !== undefined && (each === renamedFrom || lastName(each) === renamedFrom));
    const outline = old === undefined ? undefined : known[old];
    if (old === undefined || outline === undefined) return [];
    return [{ old, new: uid, attributes: pairAttributes(attributes, outline.attributes) }];
  });
};

const findSuccessors = (owners: readonly Declared[], known: Outlines): readonly Pairing[] => {
  const current = new Set(owners.map(({ uid }) => uid));
  return owners.flatMap(({ uid, renamedFrom, attributes }) => {
    if (renamedFrom === undefined) return [];
    const old = Object.keys(known).find((each) => each === renamedFrom || lastName(each) === renamedFrom);
    const outline = old === undefined || old === uid || !current.has(old) ? undefined : known[old];
    if (old === undefined || outline === undefined) return [];
    return [{ old, new: uid, attributes: pairAttributes(attributes, outline.attributes) }];
  });
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

export const correspond = (old: Snapshot, model: Model): Correspondence => ({
  contentTypes: pairOwners(model.contentTypes, old.contentTypes),
  components: pairOwners(model.components, old.components),
  successors: findSuccessors(model.components, old.components),
  moves: findMoves([...model.contentTypes, ...model.components], { ...old.components, ...old.contentTypes }),
});

const invertPair = (pair: Pair): Pair => ({ old: pair.new, new: pair.old });
const invertPairing = (pairing: Pairing): Pairing => ({
  ...invertPair(pairing),
  attributes: pairing.attributes.map(invertPair),
});

/** The same seen from the other end: for the way back. */
export const invert = ({ contentTypes, components, successors, moves }: Correspondence): Correspondence => ({
  contentTypes: contentTypes.map(invertPairing),
  components: components.map(invertPairing),
  successors: successors.map(invertPairing),
  moves: moves.map(({ from, to }) => ({ from: to, to: from })),
});
