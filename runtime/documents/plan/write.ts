/** Plans creating and changing documents. */
import { createId } from "../../base/create-id.ts";
import type { Session } from "../../database/database.ts";
import { attributeOf } from "../attributes.ts";
import { type ReadBody, readBody } from "../body/check.ts";
import { Targets } from "../body/references.ts";
import type { Source, WriteServices } from "../context.ts";
import { lockReach } from "../links/locks.ts";
import { OWN, type Reach, reachOf } from "../links/reach.ts";
import { changedLinks, hasStoredLinks, loadLinks, type LockedLinks } from "../links/relations.ts";
import { openDocument, type Opened, type Plan } from "./plan.ts";
import { entityOf, requiredNames } from "./version-values.ts";
import { isPublishing, planVersion, type Present, type WriteRequest, writtenStatus } from "./version.ts";

/**
 * The attributes whose current links are needed: those that the body changes, and those required for publishing. Whoever
 * may not read all documents cannot replace a list as a whole.
 */
const neededLinks = (
  { services, type, readable }: Source,
  { item }: ReadBody,
  publishes: boolean,
): readonly string[] => {
  const required =
    publishes || !type.draftAndPublish || services.registry.isExtended(type.uid)
      ? requiredNames(services, type).filter((name) => !item.links.get(name)?.set)
      : [];
  const changed = readable ? item.links.keys() : changedLinks(type, item);
  return [...changed, ...required].filter((name) => hasStoredLinks(attributeOf(type, name)));
};

/** A write that has passed the checks that need no database. */
export interface ReadWrite {
  readonly request: WriteRequest;
  /** The id of the document, which may be new. */
  readonly documentId: string;
  readonly source: Source;
  readonly body: ReadBody;
  readonly reach: Reach;
}

/** Parses the body of a write, and determines what the write has to lock. */
export const readWrite = (services: WriteServices, request: WriteRequest): ReadWrite => {
  const { type, locale, data, documentId, anyLocale, readable } = request;
  const source: Source = { services, type, locale, anyLocale, readable };
  const body = readBody(source, data);
  const copied = isPublishing(request) ? "draft" : undefined;
  const reach = reachOf({ source, documentId, links: body.item.links, copied });
  return { request, documentId: documentId ?? request.newId ?? createId(), source, body, reach };
};

const NEW: Present = { isNew: true, versions: [], locked: new Set(), draftLinks: new Map() };

/** What is known of a document before its write, once it is locked; undefined if there is no such document. */
const openFor = async (
  session: Session,
  { request, documentId, source, body, reach }: ReadWrite,
  opened: Opened | undefined,
): Promise<Present | undefined> => {
  const { type } = request;
  if (request.documentId === undefined) {
    return reach === OWN ? NEW : { ...NEW, locked: await lockReach(session, type, undefined, reach) };
  }
  const links = { ...source, documentId, status: writtenStatus(type) };
  const [document, draftLinks] = await Promise.all([
    opened ?? openDocument(session, type, documentId, reach),
    loadLinks(session, links, neededLinks(source, body, isPublishing(request))),
  ]);
  return document && { isNew: false, ...document, draftLinks };
};

/** The documents to which the attributes of the bodies lead now, as far as the writer may read them. */
const presentTargets = async (
  session: Session,
  source: Source,
  written: readonly (readonly [ReadWrite, Present | undefined])[],
): Promise<Targets> => {
  const { type, locale } = source;
  const items = written.map(([{ body }, { versions, draftLinks } = NEW]) => {
    const stored = versions.find((each) => each.status === writtenStatus(type) && each.locale === locale);
    const values = Object.entries(stored ? entityOf(type, stored, draftLinks) : {});
    return readBody(source, Object.fromEntries(values.filter(([name]) => Object.hasOwn(body.sent, name)))).item;
  });
  const targets = new Targets(source, () => true);
  await targets.load(session, type, items);
  return targets;
};

/** How several writes are planned. */
export interface Planning {
  /** The documents that are already locked and loaded, by id. */
  readonly opened?: ReadonlyMap<string, Opened> | undefined;
  /** Receives the fault of the write at an index; throws it by default. */
  onFault?(index: number, error: unknown): void;
}

const rethrow = (_index: number, error: unknown): never => {
  throw error;
};

/**
 * Plans writes of one type, locale and status. Sends all queries that they need at once. Several writes have to {@link
 * standsAlone stand alone}, since each is planned from the state before all of them.
 */
export const planWrites = async (
  session: Session,
  reads: readonly ReadWrite[],
  { opened, onFault = rethrow }: Planning = {},
): Promise<readonly Plan[]> => {
  const [first] = reads;
  if (!first) return [];
  const { source, request } = first;
  const { type } = request;
  const all = new Targets(source, request.seesDrafts);
  const [documents] = await Promise.all([
    Promise.all(reads.map((read) => openFor(session, read, opened?.get(read.documentId)))),
    all.load(
      session,
      type,
      reads.map(({ body }) => body.item),
    ),
  ]);
  const written = reads.map((read, index) => [read, documents[index]] as const);
  const linked = source.readable && (await presentTargets(session, source, written));
  const plans: Plan[] = [];
  for (const [index, [read, present]] of written.entries()) {
    const { documentId, body } = read;
    if (!present) continue;
    const targets = all.of(body.item, linked);
    const { locked } = present;
    const links: LockedLinks = { ...source, targets, documentId, status: writtenStatus(type), locked };
    try {
      plans.push(await planVersion(session, read.request, { links, body, present }));
    } catch (error) {
      onFault(index, error);
    }
  }
  return plans;
};

/** Whether the write changes no other documents, and needs only its own document and the targets in its body. */
export const standsAlone = ({ request, source, body, reach }: ReadWrite): boolean => {
  const isNew = request.documentId === undefined;
  const hasEntries = !isNew || body.item.components.size > 0;
  const isUnique =
    hasEntries && request.status === "published" && source.services.registry.uniquePlaces(request.type.uid).length > 0;
  const { writers, targets, documents } = reach;
  return (
    !isUnique &&
    writers.length + targets.length + documents.length === 0 &&
    (isNew || neededLinks(source, body, isPublishing(request)).length === 0)
  );
};
