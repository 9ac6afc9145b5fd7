/**
 * What processes of the other build overwrite or omit: attributes that they do not know, stored together with others.
 */
import { type Change, pairedAttributes, pairedComponents, pairedTypes } from "../change.ts";
import { added } from "../components/fill-defaults.ts";
import { historyTurns } from "../moves/move-history.ts";
import type { AttributeOutline, Snapshot } from "../snapshot.ts";

const holds = (attribute: AttributeOutline, uid: string): boolean =>
  (attribute.kind === "component" && attribute.component === uid) ||
  (attribute.kind === "dynamiczone" && attribute.components.includes(uid));

/** Nobody saves entries of a component that nothing contains. */
const isHeld = ({ contentTypes, components }: Snapshot, uid: string): boolean =>
  [...Object.values(contentTypes), ...Object.values(components)].some(({ attributes }) =>
    Object.values(attributes).some((attribute) => holds(attribute, uid)),
  );

/** An entry is one JSON value: whoever saves it writes only the fields of its own build. */
const inEntries = (change: Change): readonly string[] =>
  pairedComponents(change).flatMap(({ pairing, after }) =>
    isHeld(change.old, pairing.old)
      ? added(change, pairing, after.attributes).map(
          ([name]) => `leave out ${pairing.new}.${name}, in entries that they save`,
        )
      : [],
  );

const isStored = (attribute: AttributeOutline): boolean =>
  attribute.column !== undefined || ("link" in attribute && attribute.link !== undefined);

/** An update keeps a row's other columns; publishing copies only the columns that the build knows. */
const inVersions = (change: Change): readonly string[] =>
  pairedTypes(change).flatMap(({ pairing, before, after }) => {
    const isPublished = before.draftAndPublish && after.draftAndPublish;
    const isKept = change.old.history?.includes(pairing.old) && change.next.history?.includes(pairing.new);
    const where = [
      ...(isPublished ? ["documents that they publish"] : []),
      ...(isKept ? ["versions that they keep"] : []),
    ];
    return where.length === 0
      ? []
      : added(change, pairing, after.attributes)
          .filter(([, attribute]) => isStored(attribute))
          .map(([name]) => `leave out ${after.table}.${name}, in ${where.join(" and in ")}`);
  });

/** New enumeration values, and new components of a zone. */
const choicesThatCome = (
  { correspondence }: Change,
  before: AttributeOutline,
  after: AttributeOutline,
): readonly string[] => {
  if (before.kind === "scalar" && after.kind === "scalar")
    return (before.enum && after.enum?.filter((value) => !before.enum?.includes(value))) ?? [];
  if (before.kind !== "dynamiczone" || after.kind !== "dynamiczone") return [];
  const known = correspondence.components.filter((pairing) => before.components.includes(pairing.old));
  return after.components
    .filter((uid) => !known.some((pairing) => pairing.new === uid))
    .map((uid) => `entries of ${uid}`);
};

/** Publishing validates a document against the choices that the build knows. */
const inChoices = (change: Change): readonly string[] => {
  const owners = [
    ...pairedTypes(change).map((type) => ({ ...type, name: type.after.table })),
    ...pairedComponents(change).map((each) => ({ ...each, name: each.pairing.new })),
  ];
  return owners.flatMap(({ pairing, before, after, name }) =>
    pairedAttributes(pairing.attributes, before, after).flatMap(({ pair, ...sides }) => {
      const come = choicesThatCome(change, sides.before, sides.after);
      return come.length === 0 ? [] : [`refuse to publish documents with ${come.join(", ")} in ${name}.${pair.new}`];
    }),
  );
};

/** What processes of the older build do with what they do not know, as a migration's header puts it. */
export const overlooked = (change: Change): readonly string[] => [
  ...inEntries(change),
  ...inVersions(change),
  ...inChoices(change),
  ...historyTurns(change).come.map((uid) => `keep no versions of ${uid}, of what they write`),
];
