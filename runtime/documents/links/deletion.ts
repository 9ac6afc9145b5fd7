/**
 * Locks for deleting a document. The database deletes all links to it, and so changes the versions that hold them.
 * Therefore every document that refers to it is locked, by whichever side of the relation.
 *
 * While the deletion waits for these locks, further documents may get links to the deleted one. So in the end its own
 * lock is upgraded: that waits for links being written, and blocks new ones. Documents that refer to it by then without
 * being locked are locked if they are free. Otherwise the transaction releases everything and starts again, since
 * waiting at this point could cause a deadlock.
 */
import type { Session } from "../../database/database.ts";
import { sendAll } from "../../database/statement.ts";
import type { Attribute, ContentType } from "../../schema/content-type.ts";
import { attributesOf, isMorphToMany, isMorphToOne, isToMany, isToOne } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import type { Keeper } from "../sql/keeper.ts";
import { findDocuments, lockAgainstLinks } from "../sql/lock.ts";
import { type Documents, documentsLeadingTo, documentsOf } from "../sql/reach.ts";
import { lockLate } from "./late.ts";
import { lockReach } from "./reach.ts";

/** The attribute as storage of links to documents of `target`; undefined if it stores none. */
const keeperTo = (target: ContentType, type: ContentType, name: string, attribute: Attribute): Keeper | undefined => {
  if (isMorphToOne(attribute)) return { type, name, column: attribute.column, position: undefined };
  if (isMorphToMany(attribute)) return { type, name, link: attribute.link };
  if (isToOne(attribute) && attribute.target === target.uid) {
    return { type, name, column: attribute.column, position: attribute.inversePosition };
  }
  return isToMany(attribute) && attribute.target === target.uid ? { type, name, link: attribute.link } : undefined;
};

const allLeading = (
  { registry }: Pick<WriteServices, "registry">,
  target: ContentType,
  documentIds: readonly string[],
): readonly Documents[] =>
  Object.values(registry.contentTypes).flatMap(({ type }) =>
    attributesOf(type).flatMap(([name, attribute]) => {
      const keeper = keeperTo(target, type, name, attribute);
      return keeper ? [documentsLeadingTo(`${type.uid} ${name}`, keeper, documentIds)] : [];
    }),
  );

/** Most documents of one deletion that get a named lock. */
const MOST_NAMED = 100;

/**
 * Locks documents of a type, and all documents that refer to them, before a deletion. Returns the locked documents.
 *
 * @throws RunAgainError when another document got a link meanwhile and is being written
 */
export const lockDeletion = async (
  session: Session,
  services: Pick<WriteServices, "registry">,
  type: ContentType,
  documentIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const own = documentsOf(type, documentIds);
  // PostgreSQL has room for only some thousand named locks. Without them conflicts are more frequent, but nothing
  // breaks.
  const writers = documentIds.length > MOST_NAMED ? [] : [own];
  const leading = allLeading(services, type, documentIds);
  const [locked, results] = await Promise.all([
    lockReach(session, type, undefined, { writers, targets: [], documents: [own, ...leading], moving: [] }),
    sendAll(session, [lockAgainstLinks(documentIds), ...(leading.length > 0 ? [findDocuments(type, leading)] : [])]),
  ]);
  return lockLate(session, results[1] ?? [], locked);
};
