/**
 * Which rows of other documents a write changes. Everybody locks a document before changing it, and writers that reach
 * for further documents would wait for one another in a circle. So they wait in line before they lock anything else.
 */
import type { Attribute, ContentType } from "../schema/content-type.ts";
import { attributeOf, isInverse, isToOne } from "./attributes.ts";
import { lockExclusive, lockShared } from "./sql/lock.ts";
import type { Bound } from "./sql/statement.ts";

/** Whether a target that the attribute leads to leaves the document that led to it before. */
export const takesOver = (attribute: Attribute): boolean =>
  isToOne(attribute) && attribute.relation === "oneToOne" && attribute.inverse !== undefined;

/** The type whose documents change with the attribute besides the one that has it. */
const reachedBy = ({ uid }: ContentType, attribute: Attribute): string | undefined => {
  if (isInverse(attribute)) return attribute.target;
  return takesOver(attribute) ? uid : undefined;
};

const nameOf = (uid: string): string => `relations of ${uid}`;

/**
 * The locks that a write of these attributes begins with; none for those that change nothing but the document itself.
 * The document's own type is among them, so that of two types that reach for one another only one does at a time.
 */
export const lockReached = (type: ContentType, names: Iterable<string>): readonly Bound[] => {
  const reached = new Set<string>();
  for (const name of names) {
    const attribute = attributeOf(type, name);
    const uid = attribute && reachedBy(type, attribute);
    if (uid !== undefined) reached.add(uid);
  }
  if (reached.size === 0) return [];
  const inOrder = [...new Set([...reached, type.uid])].toSorted();
  return inOrder.map((uid) => (reached.has(uid) ? lockExclusive : lockShared)(nameOf(uid)));
};
