/** Plans publishing, unpublishing and discarding of existing versions. */
import { ValidationError } from "../../base/errors.ts";
import type { Session } from "../../database/database.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { Targets } from "../body/references.ts";
import type { WriteServices } from "../context.ts";
import { OWN, type Reach, reachOf } from "../links/reach.ts";
import { type LinkContext, linksFrom, loadLinks, planTakeOvers } from "../links/relations.ts";
import { deleteVersions } from "../sql/deletion.ts";
import { updateVersion } from "../sql/put.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";
import { planLocales } from "./locales.ts";
import { now, openDocument, type Opened } from "./open.ts";
import type { Plan } from "./plan.ts";
import { copyValues, planPublication, requiredNames } from "./publication.ts";
import { NOTHING_NEW } from "./uniqueness.ts";

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
  const links: LinkContext = { source, targets: new Targets(source, () => true), documentId, status: "draft" };
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
  return { type, documentId, version: pair.draft, before: pair.inLocale, uniqueness: NOTHING_NEW, steps };
};

/** Plans replacing the draft by the published version; undefined if there is no such document. */
export const planDiscard = async (
  services: WriteServices,
  session: Session,
  request: PublicationRequest,
): Promise<Plan | undefined> => {
  const { type, documentId } = request;
  const { links, reach } = copying(services, request, "published");
  const pair = await openPair(session, request, reach);
  if (!pair) return undefined;
  const { draft, published, versions, inLocale } = pair;
  if (!published) throw new ValidationError("The document is not published, so its draft cannot be discarded");
  const values = await copyValues(session, links, published);
  const version: Version = { ...published, status: "draft", publishedAt: null, values };
  const steps = [
    updateVersion(type, documentId, version, linksFrom(type, "published")),
    ...planTakeOvers(links, version, draft),
    ...(await planLocales(session, links.source, { documentId, version, versions, files: true })),
  ];
  return { type, documentId, version, before: inLocale, uniqueness: NOTHING_NEW, steps };
};
