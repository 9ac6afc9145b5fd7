/**
 * Writes for clients that see a document as having one version, with no separate draft: the entity format of GraphQL,
 * and version 4 of the REST API.
 */
import { systemFor } from "../../access/caller.ts";
import { mayUnpublish } from "../../access/drafts.ts";
import { ForbiddenError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { NEWEST, type RawQuery, readOne, type RowSet } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import type { Done, OperationContext, OperationRequest } from "./context.ts";
import { remove } from "./remove.ts";
import { update } from "./write.ts";

/** The status that `publishedAt` in the data requests: null makes a draft, an instant publishes. */
export const wishedStatus = (data: unknown): Status | undefined => {
  const publishedAt = isRecord(data) ? data["publishedAt"] : undefined;
  if (publishedAt === undefined) return undefined;
  return publishedAt === null ? "draft" : "published";
};

/** The status of the newest version in a locale; undefined if there is none. */
const presentStatus = async (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  locale: unknown,
): Promise<Status | undefined> => {
  const asSystem = { ...context, caller: systemFor(context.caller), code: true };
  const isThere = async (status: unknown): Promise<boolean> =>
    (await readOne(asSystem, type, documentId, { fields: ["id"], status, locale })) !== null;
  if (await isThere("published")) return "published";
  return (await isThere("draft")) ? "draft" : undefined;
};

/**
 * Changes a document, which keeps its status unless the data requests another: a published document is published again
 * with the change. Returns null if there is no such document.
 *
 * @param absent the status to use if the document does not exist in the locale yet
 * @throws ForbiddenError when the published version would be removed and the caller may not do that
 */
export const updateInPlace = async (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  request: OperationRequest,
  { wished, absent }: { readonly wished: Status | undefined; readonly absent: Status },
): Promise<Done | null> => {
  const takesBack = type.draftAndPublish && wished === "draft";
  const unpublishes = takesBack && mayUnpublish(context.services.config, context.caller, type.uid);
  const isRefused = takesBack && !unpublishes;
  const isOpen = wished === undefined || isRefused;
  const present = isOpen ? await presentStatus(context, type, documentId, request.query["locale"]) : wished;
  if (isRefused && present === "published") throw new ForbiddenError();
  const query = { ...request.query, status: wished ?? present ?? absent };
  return update(context, type, documentId, { ...request, query, unpublishes });
};

/**
 * Deletes a document in one locale.
 *
 * @param shown `fields` and `populate` for the response
 * @returns the deleted document as the caller could see it, which may be nothing; undefined if there was none
 */
export const removeInPlace = async (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  locale: unknown,
  shown: RawQuery,
): Promise<{ readonly seen: RowSet | null } | undefined> => {
  let seen: RowSet | null = null;
  const removed = await remove(context, type, documentId, { locale }, async (session) => {
    seen = await readOne({ ...context, session, code: true }, type, documentId, { ...shown, status: NEWEST, locale });
  });
  return removed ? { seen } : undefined;
};
