/** What processes of the other build write around: attributes that they do not know, and that are stored with others. */
import { type Change, pairedTypes } from "../change.ts";
import { added } from "../components/fill-defaults.ts";
import type { AttributeOutline, Snapshot } from "../snapshot.ts";

const holds = (attribute: AttributeOutline, uid: string): boolean =>
  (attribute.kind === "component" && attribute.component === uid) ||
  (attribute.kind === "dynamiczone" && attribute.components.includes(uid));

/** Nobody saves entries of a component that nothing holds. */
const isHeld = ({ contentTypes, components }: Snapshot, uid: string): boolean =>
  [...Object.values(contentTypes), ...Object.values(components)].some(({ attributes }) =>
    Object.values(attributes).some((attribute) => holds(attribute, uid)),
  );

/** An entry is one JSON value: who saves it writes the fields of its own build, and no others. */
const inEntries = (change: Change): readonly string[] =>
  change.correspondence.components.flatMap((pairing) =>
    isHeld(change.old, pairing.old)
      ? added(change, pairing, change.next.components[pairing.new]?.attributes ?? {}).map(
          ([name]) => `${pairing.new}.${name}, in entries that they save`,
        )
      : [],
  );

const isStored = (attribute: AttributeOutline): boolean =>
  ("column" in attribute && attribute.column !== undefined) || ("link" in attribute && attribute.link !== undefined);

/** A row keeps the columns that an update does not name; the published version is a copy of those that are known. */
const inVersions = (change: Change): readonly string[] =>
  pairedTypes(change).flatMap(({ pairing, before, after }) =>
    before.draftAndPublish && after.draftAndPublish
      ? added(change, pairing, after.attributes)
          .filter(([, attribute]) => isStored(attribute))
          .map(([name]) => `${after.table}.${name}, in documents that they publish`)
      : [],
  );

/** New attributes that processes of the build before leave out of what they write, as the header of a migration names them. */
export const overlooked = (change: Change): readonly string[] => [...inEntries(change), ...inVersions(change)];
