/** Describes changes that affect no table: component fields, zones, enumeration values. */
import {
  type Change,
  type Paired,
  pairedAttributes,
  type PairedAttribute,
  pairedComponents,
  pairedTypes,
} from "../change.ts";
import { historyTurns } from "../moves/move-history.ts";
import { sharingTurns } from "../moves/shared-values.ts";
import { meaning } from "../names/meaning.ts";
import { own } from "../own.ts";
import type { AttributeOutline, ComponentOutline, Snapshot } from "../snapshot.ts";
import { printed, requirements } from "./lacking.ts";
import { uniqueness } from "./uniqueness.ts";

const missingIn = (known: readonly string[], names: readonly string[]): readonly string[] =>
  names.filter((name) => !known.includes(name));

const listed = (names: readonly string[]): string => names.join(", ");

/** A zone with other components, or an enumeration with other values. */
const tellChoices = (place: string, before: AttributeOutline, after: AttributeOutline): readonly string[] => {
  if (before.kind === "scalar" && after.kind === "scalar" && before.enum && after.enum) {
    const come = missingIn(before.enum, after.enum);
    return come.length === 0 ? [] : [`allows ${listed(come)} in ${place}`];
  }
  if (before.kind !== "dynamiczone" || after.kind !== "dynamiczone") return [];
  const [come, gone] = [missingIn(before.components, after.components), missingIn(after.components, before.components)];
  return [
    ...(come.length === 0 ? [] : [`allows entries of ${listed(come)} in ${place}`]),
    ...(gone.length === 0 ? [] : [`no longer allows entries of ${listed(gone)} in ${place}`]),
  ];
};

/** An old attribute with its components and types under their present names. */
const underNewNames = (
  { contentTypes, components }: Change["correspondence"],
  was: AttributeOutline,
): AttributeOutline => {
  const now = (uid: string): string => [...components, ...contentTypes].find((each) => each.old === uid)?.new ?? uid;
  if (was.kind === "component") return { ...was, component: now(was.component) };
  if (was.kind === "dynamiczone") return { ...was, components: was.components.map(now) };
  return was.kind === "relation" && was.target !== undefined ? { ...was, target: now(was.target) } : was;
};

const kindOf = (attribute: AttributeOutline): string => {
  switch (attribute.kind) {
    case "scalar":
      return attribute.type;
    case "component":
      return attribute.repeatable ? `a list of ${attribute.component}` : attribute.component;
    case "media":
      return attribute.multiple ? "files" : "a file";
    case "relation":
      return `${attribute.relation}${attribute.target === undefined ? "" : ` to ${attribute.target}`}`;
    case "dynamiczone":
      return "a dynamic zone";
  }
};

const tellField = (
  correspondence: Change["correspondence"],
  uid: string,
  { pair, before: recorded, after }: PairedAttribute,
): readonly string[] => {
  const before = underNewNames(correspondence, recorded);
  const place = `${uid}.${pair.new}`;
  const renamed = pair.old === pair.new ? [] : [`renames the field ${uid}.${pair.old} to ${pair.new}`];
  const [was, is] = [kindOf(before), kindOf(after)];
  const changed = was === is ? [] : [`changes the field ${place} from ${was} to ${is}`];
  return [...renamed, ...changed, ...tellChoices(place, before, after)];
};

const tellComponent = (
  correspondence: Change["correspondence"],
  { pairing: { old, new: uid, attributes }, before, after }: Paired<ComponentOutline>,
): readonly string[] => {
  const isMoved = (end: "from" | "to", owner: string, name: string): boolean =>
    correspondence.moves.some((move) => move[end].owner === owner && move[end].name === name);
  const come = Object.keys(after.attributes).filter(
    (name) => !attributes.some((pair) => pair.new === name) && !isMoved("to", uid, name),
  );
  const gone = Object.keys(before.attributes).filter(
    (name) => !attributes.some((pair) => pair.old === name) && !isMoved("from", old, name),
  );
  return [
    ...(old === uid ? [] : [`renames the component ${old} to ${uid}`]),
    ...come.map((name) => `adds the field ${uid}.${name}`),
    ...gone.map((name) => `removes the field ${uid}.${name}`),
    ...pairedAttributes(attributes, before, after).flatMap((each) => tellField(correspondence, uid, each)),
  ];
};

const tellComponents = (change: Change): readonly string[] => {
  const { old, next, correspondence } = change;
  const { components } = correspondence;
  const [kept, known] = [components.map((each) => each.old), components.map((each) => each.new)];
  return [
    ...missingIn(known, Object.keys(next.components)).map((uid) => `adds the component ${uid}`),
    ...pairedComponents(change).flatMap((each) => tellComponent(correspondence, each)),
    ...missingIn(kept, Object.keys(old.components)).map((uid) => `removes the component ${uid}`),
  ];
};

/** Relations that another type stores. */
const invisible = (attributes: ComponentOutline["attributes"]): readonly string[] =>
  Object.keys(attributes).filter((name) => {
    const attribute = own(attributes, name);
    return attribute?.kind === "relation" && attribute.column === undefined && attribute.link === undefined;
  });

const tellTypes = (change: Change): readonly string[] =>
  pairedTypes(change).flatMap(({ pairing, before, after }) => {
    const paired = pairedAttributes(pairing.attributes, before, after);
    const come = invisible(after.attributes).filter((name) => !paired.some(({ pair }) => pair.new === name));
    const gone = invisible(before.attributes).filter((name) => !paired.some(({ pair }) => pair.old === name));
    return [
      ...come.map((name) => `shows the other side of a relation as ${after.table}.${name}`),
      ...gone.map((name) => `no longer shows the other side of a relation as ${before.table}.${name}`),
      ...paired.flatMap((each) =>
        meaning(each.before) === meaning(each.after)
          ? []
          : tellChoices(
              `${after.table}.${each.pair.new}`,
              underNewNames(change.correspondence, each.before),
              each.after,
            ),
      ),
    ];
  });

const tellRules = (change: Change): readonly string[] => {
  const [required, unique, history] = [requirements(change), uniqueness(change), historyTurns(change)];
  const print = (place: string): string => printed(change.next, place);
  return [
    ...required.come.map((place) => `requires ${print(place)} of what is published`),
    ...required.gone.map((place) => `no longer requires ${print(place)}`),
    ...unique.come.map((place) => `allows each value of ${print(place)} once among what is published`),
    ...unique.gone.map((place) => `allows values of ${print(place)} more than once`),
    ...history.come.map((uid) => `keeps the versions of ${uid} from now on`),
    ...history.gone.map((uid) => `keeps no further versions of ${uid}`),
    ...sharingTurns(change).map(({ place, becomesShared }) =>
      becomesShared ? `stores ${print(place)} once for all locales` : `stores ${print(place)} for each locale`,
    ),
  ];
};

const isSame = (a: Snapshot["components"], b: Snapshot["components"]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Changes of content in components and in choices, one sentence each. */
export const tellOutline = (change: Change): readonly string[] => [
  ...(isSame(change.old.components, change.next.components) ? [] : tellComponents(change)),
  ...tellTypes(change),
  ...tellRules(change),
];
