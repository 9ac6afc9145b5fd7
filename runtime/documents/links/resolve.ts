/** Resolves the references in a change of a relation or media attribute to the keys of their targets. */
import type { Attribute, Field } from "../../schema/content-type.ts";
import type { Position, Reference, RelationChange } from "../../schema/validation/relation-value.ts";
import { type Targets, targetOf } from "../body/references.ts";
import type { WriteServices } from "../context.ts";
import { applyToList, applyToOne, type Link, type ListChange } from "./order.ts";

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
