/** Plans creating and changing documents. */
import { createId } from "../../base/create-id.ts";
import type { Session } from "../../database/database.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import type { Data } from "../../schema/validation/check.ts";
import { attributeOf } from "../attributes.ts";
import { checkBody, type ReadBody, readBody } from "../body/check.ts";
import type { ParsedItem } from "../body/parse.ts";
import { type SeesDrafts, type Source, Targets } from "../body/references.ts";
import type { WriteServices } from "../context.ts";
import { lockReach } from "../links/locks.ts";
import { OWN, type Reach, reachOf } from "../links/reach.ts";
import {
  changedLinks,
  hasStoredLinks,
  type LinkContext,
  type LinkKeys,
  type LinkPlan,
  loadLinks,
  type LockedLinks,
  planLinks,
  planTakeOvers,
} from "../links/relations.ts";
import type { VersionChange } from "../recorders.ts";
import { deleteVersions } from "../sql/deletion.ts";
import { insertDocument, insertVersion, type Step, updateVersion } from "../sql/put.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";
import { inheritedNames, inheritedValues, planInheritedFiles, planLocales } from "./locales.ts";
import { now, openDocument, type Opened, type Plan } from "./plan.ts";
import { planPublication } from "./publication.ts";
import { checkUniqueness, NOTHING_NEW } from "./uniqueness.ts";
import { buildValues, entityOf, requiredNames } from "./version-values.ts";

export interface WriteRequest {
  readonly type: ContentType;
  /** The document to change; undefined to create one. */
  readonly documentId: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly locale: string | null;
  /** `published` also publishes the written version, if the type has drafts. */
  readonly status: Status;
  /** Whether writing a draft also deletes the published version in this locale. */
  readonly unpublishes?: boolean | undefined;
  readonly seesDrafts: SeesDrafts;
  readonly anyLocale?: Source["anyLocale"];
}

/** The document before the write. */
interface Present extends Opened {
  readonly isNew: boolean;
  /** The links of the draft that the write is based on. */
  readonly draftLinks: LinkKeys;
}

/** The attributes whose current links are needed: those that the body changes, and those required for publishing. */
const neededLinks = ({ services, type }: Source, { item }: ReadBody, publishes: boolean): readonly string[] => {
  const required =
    publishes || !type.draftAndPublish || services.registry.isExtended(type.uid)
      ? requiredNames(services, type).filter((name) => !item.links.get(name)?.set)
      : [];
  return [...changedLinks(type, item), ...required].filter((name) => hasStoredLinks(attributeOf(type, name)));
};

/** Whether the write stores a draft and then publishes it. */
export const isPublishing = ({ type, status }: Pick<WriteRequest, "type" | "status">): boolean =>
  type.draftAndPublish && status === "published";

/** The status of the version that is written first. */
const writtenStatus = ({ draftAndPublish }: ContentType): Status => (draftAndPublish ? "draft" : "published");

/** A write after the checks that need no database. */
export interface ReadWrite {
  readonly request: WriteRequest;
  /** The id of the document, which may be new. */
  readonly documentId: string;
  readonly source: Source;
  readonly body: ReadBody;
  readonly reach: Reach;
}

/** Parses the body of a write, and determines what it has to lock. */
export const readWrite = (services: WriteServices, request: WriteRequest): ReadWrite => {
  const { type, locale, data, documentId, anyLocale } = request;
  const source: Source = { services, type, locale, anyLocale };
  const body = readBody(source, data);
  const copied = isPublishing(request) ? "draft" : undefined;
  const reach = reachOf({ source, documentId, links: body.item.links, copied });
  return { request, documentId: documentId ?? createId(), source, body, reach };
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

/** How several writes are planned. */
export interface Planning {
  /** The documents that are locked and loaded already, by id. */
  readonly opened?: ReadonlyMap<string, Opened> | undefined;
  /** Takes the fault of the write at an index; throws it by default. */
  onFault?(index: number, error: unknown): void;
}

const rethrow = (_index: number, error: unknown): never => {
  throw error;
};

/**
 * Plans writes of one type, locale and status. All queries that they need are sent at once. Several writes have to
 * {@link standsAlone stand alone}, since each is planned on what was stored before all of them.
 *
 * @returns the plans in the order of the writes, without those of documents that do not exist
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
  const plans: Plan[] = [];
  for (const [index, read] of reads.entries()) {
    const { documentId, body } = read;
    const present = documents[index];
    if (!present) continue;
    const targets = all.of(type, body.item);
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

/**
 * Whether the write neither changes other documents nor needs anything but its own document and the targets in its
 * body.
 */
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

/** The version from which a new locale copies: that of the default locale, or else the oldest. */
const siblingOf = ({ config }: WriteServices, versions: readonly LoadedVersion[]): LoadedVersion | undefined =>
  versions.find(({ locale }) => locale === config.locales.default) ?? versions[0];

/** The values that a new locale copies from a version of another. */
const inheritedFrom = (type: ContentType, sibling: LoadedVersion, data: Data): Data => {
  const names = inheritedNames(type, data);
  return Object.fromEntries(Object.entries(entityOf(type, sibling, new Map())).filter(([name]) => names.has(name)));
};

interface Writing {
  readonly links: LockedLinks;
  readonly body: ReadBody;
  readonly present: Present;
}

/** A version that is planned, before what follows from it. */
interface Planned {
  readonly version: Version;
  /** The version that it replaces. */
  readonly stored: LoadedVersion | undefined;
  readonly steps: readonly Step[];
  readonly linkPlan: LinkPlan;
  /** Whether the body changes files. */
  readonly files: boolean;
}

/** Plans the version that is written first: the draft, if the type has drafts. */
const planFirst = async (
  session: Session,
  request: WriteRequest,
  { links, body, present }: Writing,
): Promise<Planned> => {
  const { type, locale, data } = request;
  const { services, status } = links;
  const alike = present.versions.filter((version) => version.status === status);
  const stored = alike.find((version) => version.locale === locale);
  const sibling = stored ? undefined : siblingOf(services, alike);
  const time = now();
  const item = await checkBody(session, body, {
    source: links,
    targets: links.targets,
    isNew: !stored,
    unchanged: stored ? entityOf(type, stored, present.draftLinks) : {},
    inherited: sibling ? inheritedFrom(type, sibling, data) : {},
    publishes: isPublishing(request),
    publishedAt: type.draftAndPublish ? null : `${time}Z`,
  });
  const version = await buildVersion(session, links, { item, data, stored, sibling, time });
  const linkPlan = planLinks(links, item, present.draftLinks);
  const put = stored ? updateVersion : present.isNew ? insertDocument : insertVersion;
  const steps = [
    put(type, version, linkPlan.own),
    ...(sibling ? planInheritedFiles(type, sibling, data) : []),
    ...linkPlan.statements,
    ...planTakeOvers(type, version, stored),
  ];
  const files = [...item.links.keys()].some((name) => attributeOf(type, name)?.type === "media");
  return { version, stored, steps, linkPlan, files };
};

const planVersion = async (session: Session, request: WriteRequest, writing: Writing): Promise<Plan> => {
  const { links, body, present } = writing;
  const { version, stored, steps, linkPlan, files } = await planFirst(session, request, writing);
  const { versions } = present;
  const change: VersionChange = { action: stored ? "update" : "create", type: request.type, version, before: stored };
  if (isPublishing(request)) {
    const draftLinks = new Map([...present.draftLinks, ...linkPlan.keys]);
    const linked = present.isNew ? new Set(linkPlan.own.map(({ name }) => name)) : undefined;
    const publication = { links, draft: version, versions, files, draftLinks, linked };
    const plan = await planPublication(session, { ...publication, sent: body.item.data, time: now() });
    return { ...plan, steps: [...steps, ...plan.steps], changes: [change, ...plan.changes] };
  }
  const { type, locale, unpublishes } = request;
  const before = versions.filter((each) => each.locale === locale);
  const copies = await planLocales(session, links, { version, versions, files, links: linkPlan.keys });
  const gone = unpublishes && type.draftAndPublish ? before.filter((each) => each.status === "published") : [];
  const locales = locale === null ? undefined : [locale];
  const taken = gone.length > 0 ? deleteVersions(type, [version.documentId], { locales, status: "published" }) : [];
  const changes = [change, ...gone.map((each): VersionChange => ({ action: "unpublish", type, version: each }))];
  const uniqueness = type.draftAndPublish
    ? NOTHING_NEW
    : await checkUniqueness(session, links.services, [], { type, version, before: stored, versions });
  return { type, version, before, uniqueness, steps: [...steps, ...copies, ...taken], changes };
};

interface Contents {
  readonly item: ParsedItem;
  readonly data: WriteRequest["data"];
  readonly stored: LoadedVersion | undefined;
  readonly sibling: LoadedVersion | undefined;
  readonly time: string;
}

/** Builds the new version from the body. */
const buildVersion = async (
  session: Session,
  links: LinkContext,
  { item, data, stored, sibling, time }: Contents,
): Promise<Version> => {
  const { services, type, documentId, locale, status, targets } = links;
  const schema = services.registry.validator(type.uid);
  return {
    documentId,
    locale,
    status,
    createdAt: stored?.createdAt ?? time,
    updatedAt: time,
    publishedAt: type.draftAndPublish ? null : time,
    values: await services.componentIds.assign(session, (nextId) => ({
      ...buildValues({ services, targets, nextId }, { source: links, schema, item, stored }),
      ...(sibling ? inheritedValues(services, type, sibling, data, nextId) : {}),
    })),
  };
};
