/** Which kept versions a caller may read, and reading them. */
import { sql } from "drizzle-orm";
import { mayReadDrafts } from "../../access/drafts.ts";
import { run } from "../../database/database.ts";
import type { OperationContext, WantedVersion } from "../../documents/operations/context.ts";
import { isHidden } from "../../documents/operations/guard.ts";
import { limited, limitsOf } from "../../documents/read-hooks.ts";
import { hasStatus } from "../../documents/sql/version.ts";
import { prepare, type RawQuery, readOne, type RowSet, runOne } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { findVersion, type KeptRow } from "./rows.ts";
import { shadowed } from "./shadow.ts";

export const sessionOf = ({ services, session = services.database }: OperationContext) => session;

/** Whether the caller may read versions of a status. Drafts that a type had before it lost them are nobody's. */
export const mayRead = (
  { services, caller }: OperationContext,
  { uid, draftAndPublish }: ContentType,
  status: string,
) => status === "published" || (draftAndPublish && mayReadDrafts(services.config, caller, uid));

/** The query for the document of a version: in its status and locale. */
export const queryFor = async (
  context: OperationContext,
  type: ContentType,
  { fields, populate }: RawQuery,
  { status, locale }: Pick<KeptRow, "status" | "locale">,
): Promise<RawQuery> => {
  const query = { fields, populate, locale: locale ?? undefined, status };
  return context.caller.kind === "system" ? query : limited(query, await limitsOf(context, type));
};

/** Whether a hook, or a rule of the caller's permission, limits which documents it may read. */
export const isLimited = ({ services, caller }: OperationContext, type: ContentType): boolean =>
  caller.kind !== "system" &&
  (services.readHooks?.before.has(type.uid) === true || services.queries.limitFor(caller, type, "find") !== undefined);

/** The version that a document had when it was deleted, of those that the caller may read. */
const lastOf = async (context: OperationContext, type: ContentType, documentId: string) => {
  const statuses = ["draft", "published"].filter((status) => mayRead(context, type, status));
  const last = `select max(id) from document_versions
    where document_id = $1 and type = $2 and action = 'delete' and status = any($3::text[])`;
  const [[version] = []] = await sessionOf(context).rows(last, [documentId, type.uid, statuses]);
  return typeof version === "number" ? keptOf(context, type, { documentId, version }) : undefined;
};

/** Whether the caller may read nothing of the document as it is now, or was when it was deleted. */
export const isHiddenNow = async (
  context: OperationContext,
  type: ContentType,
  documentId: string,
): Promise<boolean> => {
  if (!isLimited(context, type) || !(await isHidden(context, type, documentId))) return false;
  const id = "select 1 from documents where document_id = $1";
  if ((await sessionOf(context).rows(id, [documentId])).length > 0) return true;
  const last = await lastOf(context, type, documentId);
  return last !== undefined && (await readAsKept(context, type, last, { fields: ["documentId"] })) === null;
};

/** Whether a hook hides the version that is now stored in place of a kept one. */
const isHiddenByHook = async (context: OperationContext, type: ContentType, kept: KeptRow): Promise<boolean> => {
  if (context.caller.kind === "system" || !context.services.readHooks?.before.has(type.uid)) return false;
  const { table } = type;
  const locale = table.locale ? sql` and ${table.locale} = ${kept.locale}` : sql``;
  const stored = sql`select 1 from ${table} where ${table.documentId} = ${kept.documentId} and ${hasStatus(type, kept.status)}${locale}`;
  if ((await run(sessionOf(context), stored)).length === 0) return false;
  const query = await queryFor(context, type, {}, kept);
  return (await readOne({ ...context, fallsBack: false }, type, kept.documentId, query)) === null;
};

/** Reads a version as the document that it was; null if the caller may not see that. */
const readAsKept = async (
  context: OperationContext,
  type: ContentType,
  kept: KeptRow,
  query: RawQuery,
): Promise<RowSet | null> => {
  const prepared = prepare(context, type, await queryFor(context, type, query, kept), true);
  const session = shadowed(sessionOf(context), type, kept, () => prepared.plan.one.text);
  return runOne({ ...context, session }, prepared, kept.documentId);
};

/** The same, unless the caller may not see the document as it is now. */
export const readVersion = async (
  context: OperationContext,
  type: ContentType,
  kept: KeptRow,
  query: RawQuery,
): Promise<RowSet | null> => {
  if (await isHiddenNow(context, type, kept.documentId)) return null;
  if (await isHiddenByHook(context, type, kept)) return null;
  return readAsKept(context, type, kept, query);
};

/** A version in the locale that it would have now: its type may have gained or lost locales. */
export const keptOf = async (
  context: OperationContext,
  type: ContentType,
  { documentId, version }: WantedVersion,
): Promise<KeptRow | undefined> => {
  const kept = await findVersion(sessionOf(context), type, documentId, version);
  const { locales } = context.services.config;
  return kept && { ...kept, locale: type.localized ? (kept.locale ?? locales.default) : null };
};
