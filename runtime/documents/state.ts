/** Publishing, unpublishing, discarding and deleting what is there. */
import type { ContentType } from "../content-type.ts";
import type { Session } from "../database/database.ts";
import { ValidationError } from "../errors.ts";
import type { WriteServices } from "./context.ts";
import { copyValues, planPublication } from "./publication.ts";
import { Targets } from "./references.ts";
import { type LinkContext, planLinkCopies } from "./relations.ts";
import { deleteDocument } from "./sql/document.ts";
import { send } from "./sql/statement.ts";
import { deleteVersions, type LoadedVersion, updateVersion, type Version } from "./sql/version.ts";
import { now, openDocument, store } from "./store.ts";

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

const contextOf = (
  services: WriteServices,
  { type, documentId, locale }: StateRequest,
  state: "draft" | "published",
) => {
  const source = { services, type, locale };
  const context: LinkContext = { source, targets: new Targets(source), documentId, state };
  return context;
};

/** Publishes the draft as it is; false when there is none. */
export const publishDraft = async (
  services: WriteServices,
  session: Session,
  request: StateRequest,
): Promise<boolean> => {
  const pair = await openPair(session, request);
  if (!pair) return false;
  const { draft, published: before, versions } = pair;
  const others = versions.filter((each) => each.state === "published" && each !== before);
  const links = contextOf(services, request, "draft");
  const { version, statements } = await planPublication(session, {
    links,
    draft,
    before,
    others,
    written: new Map(),
    time: now(),
  });
  await store(session, request.type, version, statements);
  return true;
};

/** Takes the published version away; the draft stays. False when there is no such document. */
export const unpublish = async (session: Session, request: StateRequest): Promise<boolean> => {
  const { type, documentId, locale } = request;
  if (!(await openPair(session, request))) return false;
  const locales = locale === null ? undefined : [locale];
  await send(session, deleteVersions(type, documentId, { locales, state: "published" }));
  return true;
};

/** Makes the draft what is published; false when there is no such document. */
export const discardDraft = async (
  services: WriteServices,
  session: Session,
  request: StateRequest,
): Promise<boolean> => {
  const pair = await openPair(session, request);
  if (!pair) return false;
  const { draft, published } = pair;
  if (!published) throw new ValidationError("The document is not published, so its draft cannot be discarded");
  const context = contextOf(services, request, "draft");
  const values = await copyValues(session, context, published, draft);
  const version: Version = { ...published, state: "draft", publishedAt: null, values };
  await store(session, request.type, version, [
    updateVersion(request.type, request.documentId, version),
    ...planLinkCopies(context, { from: "published", to: "draft" }),
  ]);
  return true;
};

/** Deletes a document in the given locales (all where there are none), and with its last locale the document itself. */
export const removeDocument = async (
  session: Session,
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
  await send(session, all ? deleteDocument(documentId) : deleteVersions(type, documentId, { locales }));
  return true;
};
