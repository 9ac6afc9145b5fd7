/**
 * What the deletion of a document locks. The database takes every link to it along, and changes the versions that hold
 * them: so whoever leads to it is locked, whether or not it sees that from its own side.
 *
 * More documents may come to lead to it while the deletion waits for those that do. The lock of the document itself is
 * made stronger in the end: it waits for links that are being made, and lets no further one begin. Documents that lead to
 * it by then without being locked are locked if nobody holds them. Otherwise everything is let go and starts again, for
 * waiting for them now could end in a circle.
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

/** The attribute as what stores links to documents of `target`; undefined where it stores none. */
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

/** Documents of one deletion that are locked by name. */
const MOST_NAMED = 100;

/**
 * Locks documents of a type, and all that lead to them, before they are deleted. Answers which documents are locked.
 *
 * @throws RunAgainError when others came to lead to it meanwhile, and are being written
 */
export const lockDeletion = async (
  session: Session,
  services: Pick<WriteServices, "registry">,
  type: ContentType,
  documentIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const own = documentsOf(type, documentIds);
  // The server has room for some thousand of these locks. Without them others come between more often, that is all.
  const writers = documentIds.length > MOST_NAMED ? [] : [own];
  const leading = allLeading(services, type, documentIds);
  const [locked, results] = await Promise.all([
    lockReach(session, type, undefined, { writers, targets: [], documents: [own, ...leading], moving: [] }),
    sendAll(session, [lockAgainstLinks(documentIds), ...(leading.length > 0 ? [findDocuments(type, leading)] : [])]),
  ]);
  return lockLate(session, results[1] ?? [], locked);
};
