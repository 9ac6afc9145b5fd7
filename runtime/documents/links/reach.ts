/**
 * Which documents a write changes besides its own, and what it locks before it reads any of them.
 *
 * The versions and links of a document are changed by whoever holds its row in `documents`, and by nobody else. A
 * write takes all rows that it needs in one statement and in one order, so that nobody waits in a circle. Which ones
 * they are depends on what earlier writers left; so locks by name come first, which order those writers:
 *
 * - one for each document whose lists are written, or whose target in a two-way one-to-one relation;
 * - one for each such target, which is certain under the former: it must not get a second owner meanwhile.
 *
 * The list of a document may still grow by others that come to lead to it. They take no lock of it, and come later.
 *
 * Which documents a publication changes depends on the writers of other lists too: those take documents out of this one,
 * many at once. So it looks again when it has its locks, and locks what it finds.
 */
import { requiredText } from "../../database/column-values.ts";
import type { Session } from "../../database/database.ts";
import { sendAll } from "../../database/statement.ts";
import type { Attribute, ContentType, InverseRelation, ToOneRelation } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { attributesOf, isInverse, isToOne } from "../attributes.ts";
import { keysOf, type Source } from "../body/references.ts";
import type { Reference, RelationChange } from "../body/relation-value.ts";
import { findDocuments, lockDocuments, lockNames, type NamedLocks } from "../sql/lock.ts";
import {
  type Documents,
  documentsDiffering,
  documentsHolding,
  documentsLeading,
  documentsNamed,
  newTarget,
  onlyDocument,
} from "../sql/reach.ts";
import { keeperOf, sharedLocale } from "./keeper.ts";
import { lockMoving } from "./late.ts";

export interface Reach {
  /** Locks by name: of documents that are written, and of the targets of one-to-one relations. */
  readonly writers: readonly Documents[];
  readonly targets: readonly NamedLocks[];
  readonly documents: readonly Documents[];
  /** Those of `documents` that writers of other lists may change until they are locked. */
  readonly moving: readonly Documents[];
}

/** Of a write that changes nothing but its own document. */
export const OWN: Reach = { writers: [], targets: [], documents: [], moving: [] };

/** The documents that are known before any is looked for. */
export const namedIn = ({ writers, targets, documents }: Reach): readonly string[] =>
  [...writers, ...targets.map((each) => each.documents), ...documents].flatMap(({ named }) => named);

/** Whether a target that the attribute leads to leaves the document that led to it before. */
export const takesOver = (attribute: Attribute): attribute is ToOneRelation =>
  isToOne(attribute) && attribute.relation === "oneToOne" && attribute.inverse !== undefined;

/** Whether the change puts something elsewhere than at the end. */
export const isPlaced = ({ set, connect }: RelationChange): boolean =>
  !set && connect.some(({ position }) => position !== undefined && position.at !== "end");

export interface ReachRequest {
  readonly source: Source;
  /** Undefined where the document is new: nothing leads to it yet. */
  readonly documentId: string | undefined;
  /** What the body changes. */
  readonly links: ReadonlyMap<string, RelationChange>;
  /** The status whose version is copied over the one in the other status. */
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
  const keeper = keeperOf(source, attribute);
  const isSingle = attribute.relation === "oneToOne";
  const change = links.get(name);
  const named = change && namedBy(name, keeper.type, [...(change.set ?? []), ...change.connect, ...change.disconnect]);
  const isPublished = copied === "draft" && keeper.type.draftAndPublish;
  const documents: Documents[] = named ? [named] : [];
  const moving: Documents[] = [];
  if (documentId !== undefined) {
    const isWhole = change !== undefined && (isSingle || change.set !== undefined || isPlaced(change));
    if (isWhole) documents.push(documentsLeading(name, keeper, documentId));
    else if (isPublished) {
      moving.push(documentsDiffering(name, keeper, documentId, sharedLocale(source, keeper.type)));
    }
  }
  return {
    writers: isSingle && named ? [named] : [],
    targets:
      isSingle && documentId !== undefined && (named || isPublished)
        ? [targetsOf(keeper.type, keeper.name, onlyDocument(documentId))]
        : [],
    documents: [...documents, ...moving],
    moving,
  };
};

/** The targets that the attribute may lead to after the write, and did not before. */
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

/** With the writers of the document itself in order, where what is reached depends on what they leave. */
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

/** What a write reaches by the relations that its body names, and by those that it copies to the other status. */
export const reachOf = (request: ReachRequest): Reach => {
  const reached = attributesOf(request.source.type).flatMap(([name, attribute]): Reach[] => {
    if (isInverse(attribute)) return [reachOfInverse(request, name, attribute)];
    return takesOver(attribute) ? [reachOfOwner(request, name, attribute)] : [];
  });
  return inTurn(request.documentId, reached);
};

/**
 * Takes all locks of a write, and answers the documents that are locked: those that are there. `documentId` is the one
 * that is written, unless it is new.
 *
 * @throws RunAgainError when others hold a document that it came to need meanwhile
 */
export const lockReach = async (
  session: Session,
  type: ContentType,
  documentId: string | undefined,
  { writers, targets, documents, moving }: Reach,
): Promise<ReadonlySet<string>> => {
  const steps = [writers.map((each): NamedLocks => ({ name: "write", documents: each })), targets];
  const named = steps.filter((locks) => locks.length > 0).map((locks) => lockNames(type, locks));
  const isAny = documentId !== undefined || documents.length > 0;
  const results = await sendAll(session, [
    ...named,
    ...(isAny ? [lockDocuments(type, documentId, documents)] : []),
    ...(moving.length > 0 ? [findDocuments(type, moving)] : []),
  ]);
  const rows = isAny ? (results[named.length] ?? []) : [];
  const locked = new Set(rows.map(([each]) => requiredText(each)));
  const found = moving.length > 0 ? (results.at(-1) ?? []) : [];
  return lockMoving(session, type, moving, { found, locked });
};
