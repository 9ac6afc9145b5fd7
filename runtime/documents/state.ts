/** Publishing, unpublishing, discarding and deleting what is there. */
import { ValidationError } from "../base/errors.ts";
import type { Session, Transaction } from "../database/database.ts";
import type { ContentType } from "../schema/content-type.ts";
import type { WriteServices } from "./context.ts";
import { copyValues, planPublication, requiredNames } from "./publication.ts";
import { lockReached } from "./reach.ts";
import { Targets } from "./references.ts";
import { type LinkContext, linksFrom, loadLinks, planTakeOvers } from "./relations.ts";
import { deleteDocument } from "./sql/document.ts";
import { updateVersion } from "./sql/put-version.ts";
import { send, sendAll } from "./sql/statement.ts";
import { deleteVersions, type LoadedVersion, type Version } from "./sql/version.ts";
import { now, openDocument, type Plan } from "./store.ts";
import { NOTHING_NEW } from "./uniqueness.ts";

export interface StateRequest {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
}

interface Pair {
  readonly draft: LoadedVersion;
  readonly published: LoadedVersion | undefined;
  readonly versions: readonly LoadedVersion[];
}

const openPair = async (session: Session, { type, documentId, locale }: StateRequest): Promise<Pair | undefined> => {
  if (!type.draftAndPublish) throw new ValidationError(`${type.uid} has no drafts`);
  const versions = await openDocument(session, type, documentId);
  const inLocale = versions?.filter((version) => version.locale === locale) ?? [];
  const draft = inLocale.find(({ state }) => state === "draft");
  const published = inLocale.find(({ state }) => state === "published");
  return draft && { draft, published, versions: versions ?? [] };
};

/** Opens it for a write of all its attributes. */
const openWhole = async (session: Session, request: StateRequest): Promise<Pair | undefined> => {
  const { type } = request;
  const locking = sendAll(session, lockReached(type, Object.keys(type.attributes)));
  const [pair] = await Promise.all([openPair(session, request), locking]);
  return pair;
};

const contextOf = (
  services: WriteServices,
  { type, documentId, locale }: StateRequest,
  state: "draft" | "published",
) => {
  const source = { services, type, locale };
  const context: LinkContext = { source, targets: new Targets(source), documentId, state };
  return context;
};

/** Publishes the draft as it is; undefined when there is none. */
export const planPublish = async (
  services: WriteServices,
  session: Session,
  request: StateRequest,
): Promise<Plan | undefined> => {
  const links = contextOf(services, request, "draft");
  const [pair, draftLinks] = await Promise.all([
    openWhole(session, request),
    loadLinks(session, links, requiredNames(services, request.type)),
  ]);
  if (!pair) return undefined;
  const { draft, published: before, versions } = pair;
  const others = versions.filter((each) => each.state === "published" && each !== before);
  return planPublication(session, { links, draft, before, others, draftLinks, time: now() });
};

/** Takes the published version away; the draft stays. Undefined when there is no such document. */
export const planUnpublish = async (session: Session, request: StateRequest): Promise<Plan | undefined> => {
  const { type, documentId, locale } = request;
  const pair = await openPair(session, request);
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
  const pair = await openWhole(session, request);
  if (!pair) return undefined;
  const { draft, published } = pair;
  if (!published) throw new ValidationError("The document is not published, so its draft cannot be discarded");
  const context = contextOf(services, request, "draft");
  const values = await copyValues(session, context, published, draft);
  const version: Version = { ...published, state: "draft", publishedAt: null, values };
  const statements = [
    updateVersion(type, documentId, version, linksFrom(type, "published")),
    ...planTakeOvers(context, version, draft),
  ];
  return { type, documentId, version, uniqueness: NOTHING_NEW, statements };
};

/** Deletes a document in the given locales (all where there are none), and with its last locale the document itself. */
export const removeDocument = async (
  session: Transaction,
  type: ContentType,
  documentId: string,
  locales: readonly string[] | undefined,
): Promise<boolean> => {
  const versions = await openDocument(session, type, documentId);
  if (!versions) return false;
  const goes = (version: LoadedVersion): boolean =>
    version.locale === null || locales === undefined || locales.includes(version.locale);
  if (!versions.some(goes)) return false;
  const all = versions.every(goes);
  await session.last(() =>
    send(session, all ? deleteDocument(documentId) : deleteVersions(type, documentId, { locales })),
  );
  return true;
};
