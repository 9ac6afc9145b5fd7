/** Applies the change that a body asks for to the current targets of a relation or media attribute. */
import { ValidationError } from "../../base/errors.ts";
import type { Attribute, Field } from "../../schema/content-type.ts";
import type { Position, Reference, RelationChange } from "../../schema/validation/relation-value.ts";
import { type Targets, targetOf } from "../body/references.ts";
import type { WriteServices } from "../context.ts";

/** A target. Links with equal keys are the same link. */
export interface Link {
  readonly key: string;
  /** The row id of the target, as used in messages. */
  readonly id: number | string;
  readonly position?:
    | { readonly at: "start" | "end" }
    | {
        readonly at: "before" | "after";
        /** The key of the existing link beside which to insert. */
        readonly neighbour: string;
        /** The neighbour's id, as used in messages. */
        readonly id: number | string;
      };
}

export interface ListChange {
  readonly set?: readonly Link[];
  readonly connect: readonly Link[];
  readonly disconnect: readonly Link[];
  readonly strict: boolean;
}

const without = (list: readonly string[], key: string): string[] => list.filter((each) => each !== key);

const unique = (keys: readonly string[]): string[] => [...new Set(keys)];

const insert = (list: readonly string[], { key, id, position }: Link, strict: boolean): string[] => {
  const rest = without(list, key);
  if (!position || !("neighbour" in position)) return position?.at === "start" ? [key, ...rest] : [...rest, key];
  const index = rest.indexOf(position.neighbour);
  if (index < 0 && strict) {
    throw new ValidationError(
      `There was a problem connecting relation with id ${id} at position ${JSON.stringify({ [position.at]: position.id })}. The relation with id ${position.id} needs to be connected first.`,
    );
  }
  return index < 0 ? [...rest, key] : rest.toSpliced(position.at === "before" ? index : index + 1, 0, key);
};

/** How often a body may name the same target: twice has no further effect, more is a mistake. */
const MOST_OFTEN = 2;

/** @throws ValidationError when a target is named too often */
const byKeyOf = (connect: readonly Link[]): ReadonlyMap<string, Link> => {
  const byKey = new Map<string, Link>();
  const times = new Map<string, number>();
  for (const link of connect) {
    const { key, id } = link;
    if (!byKey.has(key)) byKey.set(key, link);
    times.set(key, (times.get(key) ?? 0) + 1);
    if ((times.get(key) ?? 0) > MOST_OFTEN) {
      throw new ValidationError(
        `The relation with id ${id} is already connected. You cannot connect the same relation twice.`,
      );
    }
  }
  return byKey;
};

/**
 * Each target once, in the order of the body. However, a neighbour that the same body connects comes before the links
 * that are placed beside it, unless the list has it already.
 */
const inOrder = (connect: readonly Link[], current: readonly string[]): readonly Link[] => {
  const byKey = byKeyOf(connect);
  const present = new Set(current);
  const ordered: Link[] = [];
  const neighbourOf = ({ position }: Link): Link | undefined =>
    position && "neighbour" in position ? byKey.get(position.neighbour) : undefined;
  const visit = (link: Link, path: ReadonlySet<string>): void => {
    const neighbour = neighbourOf(link);
    if (neighbour && path.has(neighbour.key)) {
      throw new ValidationError(
        "A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it",
      );
    }
    if (ordered.includes(link)) return;
    if (neighbour && !present.has(neighbour.key)) visit(neighbour, new Set([...path, neighbour.key]));
    ordered.push(link);
  };
  for (const link of byKey.values()) visit(link, new Set([link.key]));
  return ordered;
};

/** The keys of the new list. A target that is both connected and disconnected stays connected. */
export const applyToList = (current: readonly string[], change: ListChange): readonly string[] => {
  if (change.set) return unique(change.set.map(({ key }) => key));
  const connected = inOrder(change.connect, current).reduce<readonly string[]>(
    (list, link) => insert(list, link, change.strict),
    current,
  );
  // A disconnected target can still be the neighbour of a connected one.
  const left = new Set(change.disconnect.map(({ key }) => key));
  for (const { key } of change.connect) left.delete(key);
  return connected.filter((key) => !left.has(key));
};

/** The key of the new target of a to-one relation: the last item of a `set`, or the first of `connect`. */
export const applyToOne = (current: string | null, change: ListChange): string | null => {
  if (change.set) return change.set.at(-1)?.key ?? null;
  const [first] = change.connect;
  if (first) return first.key;
  return change.disconnect.some(({ key }) => key === current) ? null : current;
};

export interface Resolved {
  readonly services: WriteServices;
  readonly targets: Targets;
  readonly attribute: Attribute | Field;
}

/** The key of a target: a file's id, a documentId, or type and documentId for a relation to any type. */
export const linkKey = ({ services, targets, attribute }: Resolved, reference: Reference): string | undefined => {
  const target = targetOf(services, attribute, reference);
  if (target === undefined) return undefined;
  if (attribute.type === "media") return targets.id(target, reference)?.toString();
  const documentId = targets.documentId(target, reference);
  const isMorph = attribute.type === "relation" && !("target" in attribute && attribute.target);
  return isMorph && documentId !== undefined ? `${target} ${documentId}` : documentId;
};

const positionOf = (resolved: Resolved, position: Position | undefined): Link["position"] => {
  if (!position || !("neighbour" in position)) return position;
  const { at, neighbour: reference } = position;
  const neighbour = linkKey(resolved, reference) ?? String(reference.id ?? reference.documentId);
  const target = targetOf(resolved.services, resolved.attribute, reference);
  return { at, neighbour, id: (target && resolved.targets.id(target, reference)) ?? reference.id ?? neighbour };
};

const linkOf = (resolved: Resolved, reference: Reference): Link[] => {
  const key = linkKey(resolved, reference);
  if (key === undefined) return [];
  const target = targetOf(resolved.services, resolved.attribute, reference);
  const position = positionOf(resolved, reference.position);
  const id = (target && resolved.targets.id(target, reference)) ?? key;
  return [position ? { key, id, position } : { key, id }];
};

const linksOf = (resolved: Resolved, change: RelationChange): ListChange => {
  const links = (references: readonly Reference[]) => references.flatMap((reference) => linkOf(resolved, reference));
  const rest = { connect: links(change.connect), disconnect: links(change.disconnect), strict: change.strict };
  return change.set ? { ...rest, set: links(change.set) } : rest;
};

/** The keys of the new list. */
export const toMany = (resolved: Resolved, change: RelationChange, current: readonly string[]): readonly string[] =>
  applyToList(current, linksOf(resolved, change));

/** The key of the new target; null for none. */
export const toOne = (resolved: Resolved, change: RelationChange, current: string | null): string | null =>
  applyToOne(current, linksOf(resolved, change));
