/**
 * Determines which other documents a write changes, and locks them before it reads any of them.
 *
 * Only a transaction that holds a document's row in `documents` may change its versions and links. A write takes all
 * rows that it needs in one statement and in a fixed order, so that there are no deadlocks. Which rows it needs depends
 * on what earlier writers have stored. So it first takes named locks, which put those writers in order:
 *
 * - one for each document whose inverse lists are written, or that is the target of a two-way one-to-one relation;
 * - one for each such one-to-one target, which is known for certain only once the lock before is held: it must not get
 *   a second owner meanwhile.
 *
 * Other documents may still add themselves to a document's inverse list. They take no lock on it, and count as added
 * after this write.
 *
 * What a publication changes also depends on writers of other lists, which may remove documents from this one, many at
 * once. So it queries again when it holds its locks, and locks what it finds.
 */
import { remembering } from "../../base/remembering.ts";
import type { Attribute, ContentType, InverseRelation, ToOneRelation } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import type { Reference, RelationChange } from "../../schema/validation/relation-value.ts";
import { attributesOf, isInverse, isToOne, attributeOf, isToMany, isMorphToMany, isMorphToOne } from "../attributes.ts";
import { keysOf } from "../body/lookup.ts";
import type { Source, WriteServices } from "../context.ts";
import type { OwningSide, Scope } from "../sql/inverse.ts";
import {
  type NamedLocks,
  type Documents,
  documentsDiffering,
  documentsHolding,
  documentsLeading,
  documentsNamed,
  newTarget,
  onlyDocument,
} from "../sql/lock.ts";

export interface Reach {
  /** Named locks: of the documents being written, and of the targets of one-to-one relations. */
  readonly writers: readonly Documents[];
  readonly targets: readonly NamedLocks[];
  readonly documents: readonly Documents[];
  /** Those of `documents` that writers of other lists may change before they are locked. */
  readonly moving: readonly Documents[];
}

/** For a write that changes only its own document. */
export const OWN: Reach = { writers: [], targets: [], documents: [], moving: [] };

/** The documents that are known without a query. */
export const namedIn = ({ writers, targets, documents }: Reach): readonly string[] =>
  [...writers, ...targets.map((each) => each.documents), ...documents].flatMap(({ named }) => named);

/** Whether a new link removes the target's previous link, as in two-way one-to-one relations. */
export const takesOver = (attribute: Attribute): attribute is ToOneRelation =>
  isToOne(attribute) && attribute.relation === "oneToOne" && attribute.inverse !== undefined;

/** Whether the change inserts a link anywhere but at the end. */
export const isPlaced = ({ set, connect }: RelationChange): boolean =>
  !set && connect.some(({ position }) => position !== undefined && position.at !== "end");

export interface ReachRequest {
  readonly source: Source;
  /** Undefined for a new document, to which nothing refers yet. */
  readonly documentId: string | undefined;
  /** The relations that the body changes. */
  readonly links: ReadonlyMap<string, RelationChange>;
  /** The status of the version that is copied over the one in the other status. */
  readonly copied: Status | undefined;
}

const targetsOf = ({ uid }: ContentType, name: string, documents: Documents): NamedLocks => ({
  name: `to ${uid} ${name}`,
  documents,
});

/** The documents that a change of the attribute names. */
const namedBy = (name: string, type: ContentType, references: readonly Reference[]): Documents =>
  documentsNamed(name, type.table, keysOf(references));

const reachOfInverse = (
  { source, documentId, links, copied }: ReachRequest,
  name: string,
  attribute: InverseRelation,
): Reach => {
  const owning = owningSideOf(source.services, attribute);
  const isSingle = attribute.relation === "oneToOne";
  const change = links.get(name);
  const named = change && namedBy(name, owning.type, [...(change.set ?? []), ...change.connect, ...change.disconnect]);
  const isPublished = copied === "draft" && owning.type.draftAndPublish;
  const documents: Documents[] = named ? [named] : [];
  const moving: Documents[] = [];
  if (documentId !== undefined) {
    const isWhole = change !== undefined && (isSingle || change.set !== undefined || isPlaced(change));
    if (isWhole) documents.push(documentsLeading(name, owning, [documentId]));
    else if (isPublished) {
      moving.push(documentsDiffering(name, owning, documentId, sharedLocale(source, owning.type)));
    }
  }
  return {
    writers: isSingle && named ? [named] : [],
    targets:
      isSingle && documentId !== undefined && (named || isPublished)
        ? [targetsOf(owning.type, owning.name, onlyDocument(documentId))]
        : [],
    documents: [...documents, ...moving],
    moving,
  };
};

/** The targets that the attribute may gain through the write. */
const newTargets = (
  { source, documentId, links, copied }: ReachRequest,
  name: string,
  attribute: ToOneRelation,
): Documents | undefined => {
  const change = links.get(name);
  const references = change ? [...(change.set ?? []), ...change.connect] : [];
  if (references.length > 0) {
    return namedBy(name, source.services.registry.contentType(attribute.target), references);
  }
  if (documentId === undefined || copied === undefined) return undefined;
  return newTarget(name, source.type, attribute.column, { documentId, locale: source.locale, from: copied });
};

const reachOfOwner = (request: ReachRequest, name: string, attribute: ToOneRelation): Reach => {
  const { type } = request.source;
  const targets = newTargets(request, name, attribute);
  if (!targets) return OWN;
  return {
    writers: [],
    targets: [targetsOf(type, name, targets)],
    documents: [documentsHolding(name, type, attribute.column, targets)],
    moving: [],
  };
};

/** Adds the named lock of the document itself, if the documents that the write reaches depend on its stored links. */
export const inTurn = (documentId: string | undefined, reached: readonly Reach[]): Reach => {
  const documents = reached.flatMap((each) => each.documents);
  const own = documentId === undefined || documents.length === 0 ? [] : [onlyDocument(documentId)];
  return {
    writers: [...own, ...reached.flatMap(({ writers }) => writers)],
    targets: reached.flatMap(({ targets }) => targets),
    documents,
    moving: reached.flatMap(({ moving }) => moving),
  };
};

/** The attributes through which a write may change other documents. */
const reachingOf = remembering((type: ContentType) =>
  attributesOf(type).filter(([, attribute]) => isInverse(attribute) || takesOver(attribute)),
);

/**
 * The other documents that a write changes: through relations in the body, and through relations copied to the other
 * status.
 */
export const reachOf = (request: ReachRequest): Reach => {
  const reaching = reachingOf(request.source.type);
  if (reaching.length === 0) return OWN;
  const reached = reaching.flatMap(([name, attribute]): Reach[] => {
    if (isInverse(attribute)) return [reachOfInverse(request, name, attribute)];
    return takesOver(attribute) ? [reachOfOwner(request, name, attribute)] : [];
  });
  return inTurn(request.documentId, reached);
};

/** An attribute as the storage of links to documents; undefined if it stores none. */
export const owningSide = (
  type: ContentType,
  name: string,
  attribute: Attribute | undefined,
): OwningSide | undefined => {
  if (!attribute) return undefined;
  if (isToMany(attribute) || isMorphToMany(attribute)) return { type, name, link: attribute.link };
  if (isMorphToOne(attribute)) return { type, name, column: attribute.column, position: undefined };
  return isToOne(attribute) ? { type, name, column: attribute.column, position: attribute.inversePosition } : undefined;
};

/** The attribute and type that store an inverse relation. */
export const owningSideOf = (
  { registry }: Pick<WriteServices, "registry">,
  { target, mappedBy }: InverseRelation,
): OwningSide => {
  const type = registry.contentType(target);
  const owning = owningSide(type, mappedBy, attributeOf(type, mappedBy));
  if (!owning) throw new Error(`${mappedBy} of ${target} stores no relation`);
  return owning;
};

/** The locale that both sides of a relation share; null if one of them has no locales. */
export const sharedLocale = ({ type, locale }: Pick<Source, "type" | "locale">, owning: ContentType): string | null =>
  type.localized && owning.localized ? locale : null;

/** Which versions of the storing side are affected by a write of a version of the inverse side. */
export const scopeOf = (
  { type, locale, status }: Pick<Source, "type" | "locale"> & { readonly status: Status },
  { type: owning }: OwningSide,
): Scope => {
  const shared = sharedLocale({ type, locale }, owning);
  if (!owning.draftAndPublish) return { status: "published", locale: shared };
  return { status: type.draftAndPublish ? status : "either", locale: shared };
};
