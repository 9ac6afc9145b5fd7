/** The rows of kept versions. */
import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { callerOf } from "../../access/stored-caller.ts";
import { isRecord } from "../../base/is-record.ts";
import type { VersionInfo } from "../../client/answers.ts";
import { builder, type Reader, type Row, run } from "../../database/database.ts";
import { instantText } from "../../database/instants.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { isInt4 } from "../../schema/validation/numbers.ts";
import type { Content } from "./stored.ts";
import { documentVersions as versions } from "./tables.ts";

/** A version with its content. */
export interface KeptRow extends Pick<VersionInfo, "documentId" | "locale" | "status"> {
  readonly info: VersionInfo;
  readonly content: Content;
}

/** The columns to select of a version besides its content. */
const columns = {
  id: versions.id,
  documentId: versions.documentId,
  locale: versions.locale,
  status: versions.status,
  action: versions.action,
  at: sql<string>`${versions.at}::text`,
  caller: versions.caller,
  changed: versions.changed,
  restored: versions.restored,
};

const ACTIONS = ["create", "update", "publish", "unpublish", "discardDraft", "delete", "found"] as const;

const parsed = (value: Row[number] | undefined): unknown => (typeof value === "string" ? JSON.parse(value) : null);

const byOf = (value: unknown): VersionInfo["by"] => {
  if (value === null) return null;
  const { kind, userId, tokenId } = callerOf(value);
  return { kind: kind === "system" ? "code" : kind, id: userId ?? tokenId ?? null };
};

const infoOf = ([id, documentId, locale, status, action, at, caller, changed, restored]: Row): VersionInfo => {
  const names = parsed(changed);
  return {
    id: Number(id),
    documentId: String(documentId),
    locale: locale === "" ? null : String(locale),
    status: status === "draft" ? "draft" : "published",
    action: ACTIONS.find((each) => each === action) ?? "found",
    at: instantText(at),
    by: byOf(parsed(caller)),
    changed: Array.isArray(names) ? names.map(String).toSorted() : null,
    restored: typeof restored === "number" ? restored : null,
  };
};

/**
 * Finds a version by its number; undefined if there is none, or it belongs to another document. A single type needs no
 * documentId.
 */
export const findVersion = async (
  session: Reader,
  { uid, kind }: ContentType,
  documentId: string,
  id: number,
): Promise<KeptRow | undefined> => {
  if (!isInt4(id) || documentId.includes("\0")) return undefined;
  const own = kind === "singleType" && documentId === "" ? undefined : eq(versions.documentId, documentId);
  const where = and(eq(versions.id, id), eq(versions.type, uid), own);
  const [row] = await run(
    session,
    builder
      .select({ ...columns, content: versions.content })
      .from(versions)
      .where(where),
  );
  const content = parsed(row?.at(-1));
  if (!row || !isRecord(content)) return undefined;
  const info = infoOf(row);
  return { ...info, info, content };
};

/** Which versions to list. */
export interface Wanted {
  readonly documentId?: string | undefined;
  readonly locale?: string | undefined;
  readonly statuses: readonly string[];
}

interface Window {
  readonly start: number;
  readonly limit: number;
}

const matching = ({ uid }: ContentType, { documentId, locale, statuses }: Wanted): SQL | undefined =>
  and(
    eq(versions.type, uid),
    documentId === undefined ? undefined : eq(versions.documentId, documentId),
    locale === undefined ? undefined : eq(versions.locale, locale),
    inArray(versions.status, [...statuses]),
  );

/** Versions, newest first, and their number. */
const listed = async (
  session: Reader,
  where: SQL | undefined,
  { start, limit }: Window,
): Promise<readonly [versions: VersionInfo[], total: number]> => {
  const [rows, counted] = await Promise.all([
    run(
      session,
      builder.select(columns).from(versions).where(where).orderBy(desc(versions.id)).limit(limit).offset(start),
    ),
    run(
      session,
      builder
        .select({ total: sql`count(*)::int` })
        .from(versions)
        .where(where),
    ),
  ]);
  return [rows.map(infoOf), Number(counted[0]?.[0])];
};

export const listVersions = (session: Reader, type: ContentType, wanted: Wanted, window: Window) =>
  listed(session, matching(type, wanted), window);

/**
 * The last versions of documents in locales that no longer exist: the draft, if there was one and the caller wants it.
 */
export const listDeleted = (session: Reader, type: ContentType, wanted: Wanted, window: Window) => {
  const { table } = type;
  const locale = table.locale ? sql` and ${table.locale} = ${versions.locale}` : sql``;
  const present = sql`exists (select from ${table} where ${table.documentId} = ${versions.documentId}${locale})`;
  const later = sql`exists (select from ${versions} as other where other.document_id = ${versions.documentId}
    and other.locale = ${versions.locale} and other.action = 'delete' and ${inArray(sql`other.status`, [...wanted.statuses])}
    and (other.status, -other.id) < (${versions.status}, -${versions.id}))`;
  const where = and(matching(type, wanted), sql`${versions.action} = 'delete' and not ${present} and not ${later}`);
  return listed(session, where, window);
};
