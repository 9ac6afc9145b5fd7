/** Publishing, unpublishing, discarding and deleting what is there. */
import { ValidationError } from "../base/errors.ts";
import type { Session, Transaction } from "../database/database.ts";
import type { ContentType } from "../schema/content-type.ts";
import type { State, WriteServices } from "./context.ts";
import { planLocales } from "./locales-sync.ts";
import { copyValues, planPublication, requiredNames } from "./publication.ts";
import { OWN, type Reach, reachOf, reachOfDeletion } from "./reach.ts";
import { Targets } from "./references.ts";
import { type LinkContext, linksFrom, loadLinks, planTakeOvers } from "./relations.ts";
import { deleteDocument } from "./sql/document.ts";
import { updateVersion } from "./sql/put-version.ts";
import { send } from "./sql/statement.ts";
import { deleteVersions, type LoadedVersion, type Version } from "./sql/version.ts";
import { now, openDocument, type Opened, type Plan } from "./store.ts";
import { NOTHING_NEW } from "./uniqueness.ts";

export interface StateRequest {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
}

interface Pair extends Opened {
  readonly draft: LoadedVersion;
  readonly published: LoadedVersion | undefined;
}

const openPair = async (
  session: Session,
  { type, documentId, locale }: StateRequest,
  reach: Reach,
): Promise<Pair | undefined> => {
  if (!type.draftAndPublish) throw new ValidationError(`${type.uid} has no drafts`);
  const opened = await openDocument(session, type, documentId, reach);
  const inLocale = opened?.versions.filter((version) => version.locale === locale) ?? [];
  const draft = inLocale.find(({ state }) => state === "draft");
  const published = inLocale.find(({ state }) => state === "published");
  return opened && draft && { ...opened, draft, published };
};

/** The draft's links, for a write that copies what the version in the state `copied` has to the other one. */
const copying = (services: WriteServices, { type, documentId, locale }: StateRequest, copied: State) => {
  const source = { services, type, locale };
  const links: LinkContext = { source, targets: new Targets(source), documentId, state: "draft" };
  return { links, reach: reachOf({ source, documentId, links: new Map(), copied }) };
};

/** Publishes the draft as it is; undefined when there is none. */
export const planPublish = async (
  services: WriteServices,
  session: Session,
  request: StateRequest,
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

/** Takes the published version away; the draft stays. Undefined when there is no such document. */
export const planUnpublish = async (session: Session, request: StateRequest): Promise<Plan | undefined> => {
  const { type, documentId, locale } = request;
  const pair = await openPair(session, request, OWN);
  if (!pair) return undefined;
  const locales = locale === null ? undefined : [locale];
  const statements = [deleteVersions(type, documentId, { locales, state: "published" })];
  return { type, documentId, version: pair.draft, uniqueness: NOTHING_NEW, statements };
};

/** Makes the draft what is published; undefined when there is no such document. */
export const planDiscard = async (
  services: WriteServices,
  session: Session,
  request: StateRequest,
): Promise<Plan | undefined> => {
  const { type, documentId } = request;
  const { links, reach } = copying(services, request, "published");
  const pair = await openPair(session, request, reach);
  if (!pair) return undefined;
  const { draft, published, versions } = pair;
  if (!published) throw new ValidationError("The document is not published, so its draft cannot be discarded");
  const values = await copyValues(session, links, published);
  const version: Version = { ...published, state: "draft", publishedAt: null, values };
  const statements = [
    updateVersion(type, documentId, version, linksFrom(type, "published")),
    ...planTakeOvers(links, version, draft),
    ...(await planLocales(session, links.source, { documentId, version, versions, files: true })),
  ];
  return { type, documentId, version, uniqueness: NOTHING_NEW, statements };
};

/** Deletes a document in the given locales (all where there are none), and with its last locale the document itself. */
export const removeDocument = async (
  services: WriteServices,
  session: Transaction,
  { type, documentId }: Pick<StateRequest, "type" | "documentId">,
  locales: readonly string[] | undefined,
): Promise<boolean> => {
  const reach = reachOfDeletion({ services, type, locale: null }, documentId);
  const opened = await openDocument(session, type, documentId, reach);
  if (!opened) return false;
  const { versions } = opened;
  const goes = (version: LoadedVersion): boolean =>
    version.locale === null || locales === undefined || locales.includes(version.locale);
  if (!versions.some(goes)) return false;
  const all = versions.every(goes);
  await session.last(() =>
    send(session, all ? deleteDocument(documentId) : deleteVersions(type, documentId, { locales })),
  );
  return true;
};
