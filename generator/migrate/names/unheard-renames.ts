/** Old names that a schema file claims, and that something else keeps or takes: never ignored silently. */
import type { Attribute, Model } from "../../model/model.ts";
import { own } from "../own.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Risk } from "../step.ts";
import type { Correspondence, Pair } from "./pairings.ts";
import { ownerClaims } from "./swaps.ts";

const refused = (reason: string): Risk => ({ flag: undefined, reason });

/** New types that claim a name which continues elsewhere. For components that is an offer, see `successors`. */
const ofTypes = (old: Snapshot, { contentTypes }: Model, pairings: readonly Pair[]): readonly Risk[] =>
  ownerClaims(contentTypes, Object.keys(old.contentTypes)).flatMap(({ name: uid, from }) => {
    if (from === undefined || own(old.contentTypes, from) === undefined) return [];
    if (own(old.contentTypes, uid) !== undefined || pairings.some((pair) => pair.new === uid)) return [];
    const heir = pairings.find((pair) => pair.old === from)?.new;
    return [
      refused(
        heir === from
          ? `${uid} has "renamedFrom" with the name of ${from}, which is still there and keeps its documents. Take the line ` +
              `out of ${uid}, which then begins empty; or leave ${from} out until the rename is migrated`
          : `${uid} has "renamedFrom" with the name of ${from}, whose documents ${heir ?? "nothing"} takes: only one can`,
      ),
    ];
  });

/** New attributes that claim the same name as another one, which takes its values. */
const ofAttributes = (
  uid: string,
  attributes: readonly Attribute[],
  known: object,
  pairs: readonly Pair[],
): readonly Risk[] =>
  attributes.flatMap(({ name, renamedFrom }) => {
    if (renamedFrom === undefined || !Object.hasOwn(known, renamedFrom) || Object.hasOwn(known, name)) return [];
    if (pairs.some((pair) => pair.new === name)) return [];
    const heir = pairs.find((pair) => pair.old === renamedFrom)?.new ?? "nothing";
    return [
      refused(`${uid}.${name} has "renamedFrom": "${renamedFrom}", whose values ${uid}.${heir} takes: only one can`),
    ];
  });

/** Refuses each `renamedFrom` that the migration would not honour. */
export const unheardRenames = (old: Snapshot, model: Model, correspondence: Correspondence): readonly Risk[] => {
  const { contentTypes, components } = correspondence;
  const outlines = { ...old.contentTypes, ...old.components };
  return [
    ...ofTypes(old, model, contentTypes),
    ...[...contentTypes, ...components].flatMap((pairing) => {
      const owner = [...model.contentTypes, ...model.components].find(({ uid }) => uid === pairing.new);
      return ofAttributes(
        pairing.new,
        owner?.attributes ?? [],
        own(outlines, pairing.old)?.attributes ?? {},
        pairing.attributes,
      );
    }),
  ];
};
