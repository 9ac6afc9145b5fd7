/** Plans publishing, unpublishing and discarding. An existing published version is updated, so that its row keeps its id. */
import { ValidationError } from "../../base/errors.ts";
import type { Session, Value } from "../../database/database.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import type { Data } from "../../schema/validation/check.ts";
import { attributesOf, isComponent, isToOne } from "../attributes.ts";
import { checkVersion } from "../body/check-version.ts";
import { Targets } from "../body/references.ts";
import type { Source, WriteServices } from "../context.ts";
import { OWN, type Reach, reachOf } from "../links/reach.ts";
import {
  type LinkContext,
  type LinkKeys,
  linksFrom,
  type LockedLinks,
  planInversePublication,
  planTakeOvers,
  loadLinks,
} from "../links/relations.ts";
import type { VersionChange } from "../recorders.ts";
import type { Touching } from "../sql/allowed.ts";
import type { LinkChange } from "../sql/link.ts";
import type { Put, Step } from "../sql/put.ts";
import { deleteVersions, type LoadedVersion, type Version } from "../sql/version.ts";
import { copyColumn } from "./entries.ts";
import { type Copies, planLocales, type Shared } from "./locales.ts";
import { type Plan, now, openDocument, type Opened } from "./plan.ts";
import { checkUniqueness, NOTHING_NEW } from "./uniqueness.ts";
import { entityOf, requiredNames } from "./version-values.ts";

/** How a version of a body is stored. */
export interface Written {
  readonly purpose: Put["purpose"];
  /** The links that its row does not hold. */
  readonly links: readonly LinkChange[];
  /** The statements that change further links, which a publication copies. */
  readonly further: readonly Touching[];
  /** The statements that remove the links of earlier owners. */
  readonly takeOvers: readonly Touching[];
}

/** The steps that store a version of a body. */
export const stepsOf = (
  type: ContentType,
  version: Version,
  { purpose, links, further, takeOvers }: Written,
): Step[] => [{ purpose, type, versions: [version], links }, ...further, ...takeOvers];

export interface Publication {
  readonly links: LockedLinks;
  /** The draft as it will be stored. */
  readonly draft: Version;
  /** All versions of the document. */
  readonly versions: readonly LoadedVersion[];
  /** Whether the draft's files are copied to the drafts of other locales. */
  readonly files: boolean;
  /** The links of the draft; at least those of the attributes in {@link requiredNames}. */
  readonly draftLinks: LinkKeys;
  /** How the draft is stored; undefined if it stays as it is. */
  readonly written?: Written;
  /** The values of the draft that the request supplies. */
  readonly sent?: Data;
  readonly time: string;
}

/** The values of a version as another version's; component entries get new ids. */
export const copyValues = (
  session: Session,
  { services, type }: LinkContext,
  { values, status }: Version,
): Promise<Version["values"]> =>
  services.componentIds.assign(session, (nextId) => {
    const copied: Record<string, Value> = { ...values };
    for (const [name, attribute] of attributesOf(type)) {
      if (isComponent(attribute)) copied[name] = copyColumn(services, attribute, values[name], nextId);
      // The position in the inverse list is known only after the draft has been stored.
      if (status === "draft" && isToOne(attribute) && attribute.inversePosition) copied[`${name}:position`] = null;
    }
    return copied;
  });

/**
 * Whether one statement can store the draft and the published version: if both are new or both are there, and no other
 * statement changes what the published one copies.
 */
const areTogether = ({ purpose, links, further }: Written, replaces: boolean): boolean =>
  further.length === 0 &&
  (purpose === "update") === replaces &&
  links.every(({ link }) => !("documentVersion" in link));

/**
 * The steps that store the draft, if it is written, and the published version: together, or else the published one with
 * the links of the stored draft.
 */
const publicationSteps = (
  { links: { type }, draft, written }: Publication,
  version: Version,
  { replaces, copies }: { readonly replaces: boolean; readonly copies: readonly Step[] },
): readonly Step[] => {
  const stored = linksFrom(type, "draft");
  const isGiven = ({ name }: LinkChange): boolean => written?.links.some((link) => link.name === name) === true;
  if (written && areTogether(written, replaces)) {
    const { purpose, links, takeOvers } = written;
    const others = replaces ? stored.filter((change) => !isGiven(change)) : [];
    return [{ purpose, type, versions: [draft, version], links: [...links, ...others] }, ...takeOvers, ...copies];
  }
  const isNew = written?.purpose === "insert with document";
  return [
    ...(written ? stepsOf(type, draft, written) : []),
    ...copies,
    {
      purpose: replaces ? "update" : "insert",
      type,
      versions: [version],
      links: isNew ? stored.filter(isGiven) : stored,
    },
  ];
};

/** Plans the copies to other locales, if the document has any. */
export const planCopies = async (session: Session, source: Source, shared: Shared): Promise<Copies> =>
  shared.versions.some(({ locale }) => locale !== shared.version.locale)
    ? planLocales(session, source, shared)
    : { steps: [], changes: [] };

/** Plans storing the draft and publishing it. Throws the contract's ValidationError if it must not be published. */
export const planPublication = async (session: Session, publication: Publication): Promise<Plan> => {
  const { links, draft, versions, files, draftLinks, written, sent, time } = publication;
  const { services, type, locale } = links;
  const inLocale = versions.filter((each) => each.locale === locale);
  const before = inLocale.find((each) => each.status === "published");
  const values = await copyValues(session, links, draft);
  const version: Version = { ...draft, status: "published", publishedAt: time, values };
  const errors = checkVersion(links, entityOf(type, version, draftLinks), { sent });
  const uniqueness = await checkUniqueness(session, services, errors, { type, version, before, versions });
  const published: LockedLinks = { ...links, status: "published" };
  const drafts = await planCopies(session, links, { version: draft, versions, files, links: draftLinks });
  const others = await planCopies(session, links, { version, versions, files: true, links: draftLinks });
  const steps = [
    ...publicationSteps(publication, version, { replaces: before !== undefined, copies: drafts.steps }),
    ...planTakeOvers(type, version, before),
    ...planInversePublication(published, written?.purpose === "insert with document"),
    ...others.steps,
  ];
  const change: VersionChange = { action: "publish", type, version, before };
  const changes = [...drafts.changes, change, ...others.changes];
  return { type, version, before: inLocale, uniqueness, steps, changes };
};

export interface PublicationRequest {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
}

interface Pair extends Opened {
  readonly draft: LoadedVersion;
  readonly published: LoadedVersion | undefined;
  /** The draft and the published version in the locale. */
  readonly inLocale: readonly LoadedVersion[];
}

const openPair = async (
  session: Session,
  { type, documentId, locale }: PublicationRequest,
  reach: Reach,
): Promise<Pair | undefined> => {
  if (!type.draftAndPublish) throw new ValidationError(`${type.uid} has no drafts`);
  const opened = await openDocument(session, type, documentId, reach);
  const inLocale = opened?.versions.filter((version) => version.locale === locale) ?? [];
  const draft = inLocale.find(({ status }) => status === "draft");
  const published = inLocale.find(({ status }) => status === "published");
  return opened && draft && { ...opened, draft, published, inLocale };
};

/** The context for copying links from the version in the status `copied` to the other one. */
const copying = (services: WriteServices, { type, documentId, locale }: PublicationRequest, copied: Status) => {
  const source = { services, type, locale };
  const links: LinkContext = { ...source, targets: new Targets(source, () => true), documentId, status: "draft" };
  return { links, reach: reachOf({ source, documentId, links: new Map(), copied }) };
};

/** Plans publishing the draft as it is; undefined if there is none. */
export const planPublish = async (
  services: WriteServices,
  session: Session,
  request: PublicationRequest,
): Promise<Plan | undefined> => {
  const { links, reach } = copying(services, request, "draft");
  const [pair, draftLinks] = await Promise.all([
    openPair(session, request, reach),
    loadLinks(session, links, requiredNames(services, request.type)),
  ]);
  if (!pair) return undefined;
  const { draft, versions, locked } = pair;
  const publication = { draft, versions, files: false, draftLinks, time: now() };
  return planPublication(session, { links: { ...links, locked }, ...publication });
};

/** Plans deleting the published version; the draft stays. Undefined if there is no such document. */
export const planUnpublish = async (session: Session, request: PublicationRequest): Promise<Plan | undefined> => {
  const { type, documentId, locale } = request;
  const pair = await openPair(session, request, OWN);
  if (!pair) return undefined;
  const locales = locale === null ? undefined : [locale];
  const steps = deleteVersions(type, [documentId], { locales, status: "published" });
  const changes = pair.published ? [{ action: "unpublish" as const, type, version: pair.published }] : [];
  return { type, version: pair.draft, before: pair.inLocale, uniqueness: NOTHING_NEW, steps, changes };
};

/** Plans replacing the draft by the published version; undefined if there is no such document. */
export const planDiscard = async (
  services: WriteServices,
  session: Session,
  request: PublicationRequest,
): Promise<Plan | undefined> => {
  const { type } = request;
  const { links, reach } = copying(services, request, "published");
  const pair = await openPair(session, request, reach);
  if (!pair) return undefined;
  const { draft, published, versions, inLocale } = pair;
  if (!published) throw new ValidationError("The document is not published, so its draft cannot be discarded");
  const values = await copyValues(session, links, published);
  const version: Version = { ...published, status: "draft", publishedAt: null, values };
  const seen = services.registry.isExtended(type.uid) ? requiredNames(services, type) : [];
  const publishedLinks = await loadLinks(session, { ...links, ...published }, seen);
  const others = await planCopies(session, links, { version, versions, files: true, links: publishedLinks });
  const steps = [
    { purpose: "update" as const, type, versions: [version], links: linksFrom(type, "published") },
    ...planTakeOvers(type, version, draft),
    ...others.steps,
  ];
  const changes: VersionChange[] = [{ action: "discardDraft", type, version, before: draft }, ...others.changes];
  return { type, version, before: inLocale, uniqueness: NOTHING_NEW, steps, changes };
};
