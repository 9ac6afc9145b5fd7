/**
 * Fields that move between a type or component and the single components in it, or between two of these:
 * `"renamedFrom": "shared.seo.title"` on the field at its new place.
 */
import type { Change } from "../change.ts";
import { meaning } from "../names/meaning.ts";
import type { FieldMove, Pairing } from "../names/pairings.ts";
import { own } from "../own.ts";
import type { AttributeOutline, ComponentOutline } from "../snapshot.ts";
import type { Draft } from "../step.ts";

/** A place for a value: a field of the type or component itself, or of a single component in it. */
export interface Cell {
  /** The attribute that holds the component. */
  readonly child: string | undefined;
  readonly field: string;
  readonly outline: AttributeOutline;
}

export interface Connection {
  readonly from: Cell;
  readonly to: Cell;
}

type Attributes = ComponentOutline["attributes"];
type Components = Readonly<Record<string, ComponentOutline>>;

/** One end of a move, seen from the type or component `uid`. */
interface Side {
  readonly uid: string;
  readonly attributes: Attributes;
  readonly components: Components;
  /** Whether an attribute or component field continues under some name: then it is not the one that moves. */
  readonly goesOn: (name: string) => boolean;
  readonly fieldGoesOn: (component: string, name: string) => boolean;
}

const cellsOf = (
  { uid, attributes, components, goesOn, fieldGoesOn }: Side,
  end: FieldMove["from"],
): readonly Cell[] => {
  const found: Cell[] = [];
  const outer = own(attributes, end.name);
  if (uid === end.owner && outer && !goesOn(end.name))
    found.push({ child: undefined, field: end.name, outline: outer });
  const outline = own(components[end.owner]?.attributes, end.name);
  if (!outline) return found;
  for (const [child, attribute] of Object.entries(attributes)) {
    if (attribute.kind !== "component" || attribute.repeatable || attribute.component !== end.owner) continue;
    if (goesOn(child) && fieldGoesOn(end.owner, end.name)) continue;
    found.push({ child, field: end.name, outline });
  }
  return found;
};

const side = (
  which: "old" | "new",
  { old, next, correspondence }: Change,
  pairing: Pairing,
  attributes: Attributes,
): Side => ({
  uid: pairing[which],
  attributes,
  components: which === "old" ? old.components : next.components,
  goesOn: (name) => pairing.attributes.some((pair) => pair[which] === name),
  fieldGoesOn: (component, name) =>
    correspondence.components.some(
      (each) => each[which] === component && each.attributes.some((pair) => pair[which] === name),
    ),
});

const sorted = (values: readonly string[] = []): string => JSON.stringify([...values].sort());

const isSameKind = (a: AttributeOutline, b: AttributeOutline): boolean =>
  a.kind === "scalar" && b.kind === "scalar"
    ? a.type === b.type && sorted(a.enum) === sorted(b.enum)
    : meaning(a) === meaning(b);

/**
 * Whether the single component beside or in which a field moves was single before as well, or is added or removed here.
 */
const staysSingle = (
  { correspondence }: Change,
  pairing: Pairing,
  before: Attributes,
  after: Attributes,
  end: "old" | "new",
  { child }: Cell,
): boolean => {
  const pair = pairing.attributes.find((each) => each[end] === child);
  const [was, is] = [own(before, pair?.old ?? ""), own(after, pair?.new ?? "")];
  if (was === undefined || is === undefined) return true;
  if (was.kind !== "component" || is.kind !== "component" || was.repeatable || is.repeatable) return false;
  return correspondence.components.some((each) => each.old === was.component && each.new === is.component);
};

const printCell = ({ child, field }: Cell): string => (child === undefined ? field : `${child}.${field}`);

const hasLinks = (outline: Cell["outline"]): boolean =>
  outline.kind === "relation" || (outline.kind === "media" && outline.multiple === true);

/**
 * What moves within one type or component. Refuses moves that are ambiguous or impossible.
 * @param isRow whether it is a type, whose own relations and lists of files are not JSON
 */
export const connect = (
  change: Change,
  draft: Draft,
  pairing: Pairing,
  { before, after, isRow }: { readonly before: Attributes; readonly after: Attributes; readonly isRow: boolean },
): readonly Connection[] =>
  change.correspondence.moves.flatMap((move) => {
    const sources = cellsOf(side("old", change, pairing, before), move.from);
    const targets = cellsOf(side("new", change, pairing, after), move.to);
    const [from, to] = [sources[0], targets[0]];
    if (!from || !to) return [];
    const refuse = (why: string): readonly Connection[] => {
      const reason = `${move.from.owner}.${move.from.name} cannot move to ${move.to.owner}.${move.to.name} in ${pairing.new}: ${why}`;
      draft.risks.push({ flag: undefined, reason });
      return [];
    };
    if (sources.length + targets.length > 2) {
      return refuse(
        `${sources.map(printCell).join(" and ")} to ${targets.map(printCell).join(" and ")} is not one place to one place`,
      );
    }
    if (!isSameKind(from.outline, to.outline))
      return refuse("move it first, and change its type or its values in a second migration");
    if (
      !staysSingle(change, pairing, before, after, "old", from) ||
      !staysSingle(change, pairing, before, after, "new", to)
    )
      return refuse("move it first, and make the component something else in a second migration");
    const inColumns = isRow && (from.child === undefined || to.child === undefined);
    if (inColumns && hasLinks(from.outline)) {
      return refuse(
        "links are not stored in a component as they are in a type. Add the new attribute without renamedFrom, " +
          "move them with SQL of your own (cms migrate new), then remove the old one",
      );
    }
    return [{ from, to }];
  });

/** The fields that move out of the single component in `child`. */
export const leavingFields = (connections: readonly Connection[], child: string): ReadonlySet<string> =>
  new Set(connections.filter(({ from }) => from.child === child).map(({ from }) => from.field));

/** Whether the component at `child` is empty after its fields have moved out. */
export const isEmptied = (
  connections: readonly Connection[],
  child: string,
  attribute: AttributeOutline,
  components: Components,
): boolean => {
  if (attribute.kind !== "component") return false;
  const leaving = leavingFields(connections, child);
  return (
    leaving.size > 0 && Object.keys(components[attribute.component]?.attributes ?? {}).every((key) => leaving.has(key))
  );
};
