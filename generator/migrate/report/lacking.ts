/** Attributes that a migration makes required, and that existing content may lack. */
import type { Change } from "../change.ts";
import { added } from "../components/fill-defaults.ts";
import { isJson } from "../components/stored-entries.ts";
import { isMany } from "../names/meaning.ts";
import type { Pairing } from "../names/pairings.ts";
import { nameOf, ownerOf, ownersOf } from "../names/recall.ts";
import { threadsOf } from "../names/threads.ts";
import { own } from "../own.ts";
import type { AttributeOutline, ComponentOutline, Snapshot } from "../snapshot.ts";

/** `articles.title` for `api::article.article.title`; component fields go by the component's uid. */
export const printed = ({ contentTypes }: Snapshot, place: string): string =>
  `${own(contentTypes, ownerOf(place))?.table ?? ownerOf(place)}.${nameOf(place)}`;

/** Changes of required attributes among those that continue; none if one side does not record them. */
export const requirements = (
  change: Change,
): { readonly come: readonly string[]; readonly gone: readonly string[] } => {
  const { old, next } = change;
  if (old.required === undefined || next.required === undefined) return { come: [], gone: [] };
  const [before, after] = [new Set(old.required), new Set(next.required)];
  const kept = [...threadsOf(change)];
  return {
    come: kept.filter(([is, was]) => after.has(is) && !before.has(was)).map(([is]) => is),
    gone: kept.filter(([is, was]) => !after.has(is) && before.has(was)).map(([is]) => is),
  };
};

/** Whether content may lack it: relations stored by another type, and lists of entries, are never missing. */
const mayLack = (attribute: AttributeOutline | undefined): boolean =>
  attribute !== undefined &&
  !(isJson(attribute) && isMany(attribute)) &&
  !(attribute.kind === "relation" && attribute.storedBy !== undefined);

const attributesOf = (snapshot: Snapshot, uid: string): ComponentOutline["attributes"] =>
  own(ownersOf(snapshot), uid)?.attributes ?? {};

/** New required attributes without a value for existing content. */
const comeEmpty = (change: Change, pairing: Pairing): readonly string[] =>
  added(change, pairing, attributesOf(change.next, pairing.new))
    .map(([name]) => `${pairing.new}.${name}`)
    .filter((place) => change.next.required?.includes(place) && change.hints.get(place)?.default === undefined);

/** What existing content may lack and must have from now on, as the header names it. */
export const lackingFrom = (change: Change): readonly string[] => {
  const { contentTypes, components } = change.correspondence;
  const places = [
    ...[...contentTypes, ...components].flatMap((pairing) => comeEmpty(change, pairing)),
    ...requirements(change).come,
  ];
  return places
    .filter((place) => mayLack(own(attributesOf(change.next, ownerOf(place)), nameOf(place))))
    .map((place) => printed(change.next, place));
};
