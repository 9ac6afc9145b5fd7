/** Lists, reads, compares and restores the kept versions of documents. */
import { sql } from "drizzle-orm";
import { mayReadDrafts } from "../../access/drafts.ts";
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { GonePart, VersionDifference, VersionInfo } from "../../client/answers.ts";
import { run } from "../../database/statement.ts";
import type {
  KeptVersion,
  OperationContext,
  VersionList,
  Versions,
  WantedVersion,
} from "../../documents/operations/context.ts";
import { demandRows, isHidden } from "../../documents/operations/guard.ts";
import { isNarrowed, limited, limitsOf, shown } from "../../documents/read-hooks.ts";
import { touchedDocuments } from "../../documents/sql/allowed.ts";
import { hasStatus } from "../../documents/sql/version.ts";
import { checkWindow, jsonOf, prepare, type RawQuery, readOne, type RowSet, runOne } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { goneReferences } from "./gone.ts";
import { restore } from "./restore.ts";
import { findVersion, type KeptRow, listDeleted, listVersions, type Wanted } from "./rows.ts";
import { shadowed } from "./shadow.ts";
import { goneValues, presentValues } from "./stored.ts";

const sessionOf = ({ services, session = services.database }: OperationContext) => session;

/** Whether the caller may read versions of a status. Drafts that a type had before it lost them are nobody's. */
const mayRead = ({ services, caller }: OperationContext, { uid, draftAndPublish }: ContentType, status: string) =>
  status === "published" || (draftAndPublish && mayReadDrafts(services.config, caller, uid));

/** The query for the document of a version: in its status and locale. */
const queryFor = async (
  context: OperationContext,
  type: ContentType,
  { fields, populate }: RawQuery,
  { status, locale }: Pick<KeptRow, "status" | "locale">,
): Promise<RawQuery> => {
  const query = {
    ...(fields === undefined ? {} : { fields }),
    ...(populate === undefined ? {} : { populate }),
    ...(locale === null ? {} : { locale }),
    status,
  };
  const isClient = context.caller.kind !== "system" && isNarrowed(context.services, type);
  return isClient ? limited(query, await limitsOf(context, type)) : query;
};

/** Whether a hook, or a rule of the caller's permission, limits which documents it may read. */
const isLimited = ({ services, caller }: OperationContext, type: ContentType): boolean =>
  caller.kind !== "system" &&
  (isNarrowed(services, type) || services.queries.limitFor(caller, type, "find") !== undefined);

/** Whether the document exists, but the caller may read none of its versions. */
const isHiddenNow = async (context: OperationContext, type: ContentType, documentId: string): Promise<boolean> => {
  if (!isLimited(context, type) || !(await isHidden(context, type, documentId))) return false;
  const id = "select 1 from documents where document_id = $1";
  return (await sessionOf(context).rows(id, [documentId])).length > 0;
};

/** Whether a hook hides the version that is now stored in place of a kept one. */
const isHiddenByHook = async (context: OperationContext, type: ContentType, kept: KeptRow): Promise<boolean> => {
  if (context.caller.kind === "system" || !isNarrowed(context.services, type)) return false;
  const { table } = type;
  const locale = table.locale ? sql` and ${table.locale} = ${kept.locale}` : sql``;
  const stored = sql`select 1 from ${table} where ${table.documentId} = ${kept.documentId} and ${hasStatus(type, kept.status)}${locale}`;
  if ((await run(sessionOf(context), stored)).length === 0) return false;
  const query = await queryFor(context, type, {}, kept);
  return (await readOne({ ...context, fallsBack: false }, type, kept.documentId, query)) === null;
};

/** Reads a version as the document that it was; null if the caller may not see it, or its current state. */
const readVersion = async (
  context: OperationContext,
  type: ContentType,
  kept: KeptRow,
  query: RawQuery,
): Promise<RowSet | null> => {
  const prepared = prepare(context, type, await queryFor(context, type, query, kept), true);
  if (await isHiddenNow(context, type, kept.documentId)) return null;
  if (await isHiddenByHook(context, type, kept)) return null;
  const session = shadowed(sessionOf(context), type, kept, () => prepared.plan.one.text);
  return runOne({ ...context, session }, prepared, kept.documentId);
};

/** What the caller may see of a version. Only callers who may see all attributes see undeclared ones. */
const seen = (context: OperationContext, type: ContentType, info: VersionInfo): VersionInfo => ({
  ...info,
  changed: info.changed && info.changed.filter((name) => isSeen(context, type, name)),
});

const isSeen = ({ services, caller, trusted }: OperationContext, type: ContentType, name: string): boolean => {
  if (trusted) return true;
  if (!Object.hasOwn(type.attributes, name)) return caller.fields?.has(type.uid) !== true;
  return services.queries.shows(caller, type, name);
};

/** What is gone from a version. Only application code gets undeclared values, since they may be private. */
export const goneOf = async (context: OperationContext, type: ContentType, { content }: KeptRow) => {
  const { services, trusted = false } = context;
  const values = presentValues(type, content);
  const own = goneValues(type, content).map(({ value, ...part }): GonePart => (trusted ? { ...part, value } : part));
  const all = [...own, ...(await goneReferences(sessionOf(context), services.registry, type, values))];
  return all.filter(({ path }) => isSeen(context, type, path.split(".")[0] ?? ""));
};

/** A version in the locale that it would have now: its type may have gained or lost locales. */
const keptOf = async (
  context: OperationContext,
  type: ContentType,
  { documentId, version }: WantedVersion,
): Promise<KeptRow | undefined> => {
  const kept = await findVersion(sessionOf(context), type, documentId, version);
  const { locales } = context.services.config;
  return kept && { ...kept, locale: type.localized ? (kept.locale ?? locales.default) : null };
};

const found = async (
  context: OperationContext,
  type: ContentType,
  wanted: WantedVersion,
  action: string,
): Promise<KeptRow | undefined> => {
  await demandRows(context, touchedDocuments(type, [wanted.documentId.replaceAll("\0", "")]), action);
  const kept = await keptOf(context, type, wanted);
  return kept && mayRead(context, type, kept.status) ? kept : undefined;
};

const textIn = (query: RawQuery, name: string): string | undefined => {
  const value = query[name];
  if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
  throw new ValidationError(`Invalid ${name} parameter. Expected a text`);
};

const wantedIn = (context: OperationContext, type: ContentType, query: RawQuery): Wanted => {
  const asked = textIn(query, "status");
  const statuses = ["draft", "published"].filter((status) => mayRead(context, type, status));
  const locale = type.localized ? textIn(query, "locale") : undefined;
  if (asked !== undefined && asked !== "draft" && asked !== "published")
    throw new ValidationError(`Invalid parameter at 'status'. Expected 'published' or 'draft', received: ${asked}`);
  return { locale, statuses: asked === undefined ? statuses : statuses.filter((status) => status === asked) };
};

type Listed = typeof listVersions;

const listing = async (
  context: OperationContext,
  type: ContentType,
  query: RawQuery,
  wanted: Partial<Wanted>,
  listed: Listed,
): Promise<VersionList> => {
  const window = checkWindow(query["pagination"], context.services.config.rest);
  const all = { ...wantedIn(context, type, query), ...wanted };
  const [versions, total] = await listed(sessionOf(context), type, all, window);
  const { start, limit, page, style } = window;
  // Only callers who may read all documents learn how many there are.
  const isCounted = all.documentId !== undefined || !isLimited(context, type);
  const place = style === "offset" ? { start, limit } : { page, pageSize: limit };
  const pages = style === "offset" ? {} : { pageCount: Math.ceil(total / limit) };
  return {
    versions: (await visible(context, type, versions)).map((each) => seen(context, type, each)),
    pagination: isCounted ? { ...place, ...pages, total } : place,
  };
};

/** Where a hook or rule limits which documents clients read, lists only the versions that it would show. */
const visible = async (
  context: OperationContext,
  type: ContentType,
  versions: VersionInfo[],
): Promise<VersionInfo[]> => {
  if (!isLimited(context, type)) return versions;
  const shows: VersionInfo[] = [];
  for (const info of versions) {
    const kept = await keptOf(context, type, { documentId: info.documentId, version: info.id });
    if (kept && (await readVersion(context, type, kept, { fields: ["documentId"] }))) shows.push(info);
  }
  return shows;
};

/** The members of a document as clients get it. */
const membersOf = async (context: OperationContext, document: RowSet | null): Promise<Record<string, unknown>> => {
  if (document === null) return {};
  const json: unknown = JSON.parse(jsonOf(context.trusted ? document : await shown(context, document)));
  return isRecord(json) ? json : {};
};

const NOT_COMPARED = new Set(["id", "documentId", "createdAt", "updatedAt", "publishedAt", "locale", "localizations"]);

/** Ignores the ids of entries. */
const textOf = (value: unknown): string | undefined =>
  JSON.stringify(value, (key, member: unknown) => (key === "id" ? undefined : member));

const compare: Versions["compare"] = async (context, type, wanted, query) => {
  const kept = await found(context, type, wanted, "compareVersions");
  if (!kept) return undefined;
  const asked = { populate: "*", ...query };
  const { to } = query;
  const one = await readVersion(context, type, kept, asked);
  if (!one) return undefined;
  const other =
    to === undefined ? undefined : await found(context, type, { ...wanted, version: Number(to) }, "compareVersions");
  if (to !== undefined && !other) throw new ValidationError("to: this document has no such version");
  // A fallback for a missing locale is not a later version of it.
  const own = { ...context, fallsBack: false };
  const present = async () => readOne(own, type, kept.documentId, await queryFor(context, type, asked, kept));
  const [from, into] = [
    await membersOf(context, one),
    await membersOf(context, other ? await readVersion(context, type, other, asked) : await present()),
  ];
  const names = [...new Set([...Object.keys(from), ...Object.keys(into)])];
  return names
    .filter((name) => !NOT_COMPARED.has(name) && textOf(from[name] ?? null) !== textOf(into[name] ?? null))
    .map((attribute): VersionDifference => ({ attribute, from: from[attribute] ?? null, to: into[attribute] ?? null }));
};

const find = async (
  context: OperationContext,
  type: ContentType,
  wanted: WantedVersion,
  query: RawQuery,
): Promise<KeptVersion | undefined> => {
  const kept = await found(context, type, wanted, "findVersion");
  const document = kept && (await readVersion(context, type, kept, query));
  if (!document) return undefined;
  return { info: seen(context, type, kept.info), document, gone: await goneOf(context, type, kept) };
};

/** The versions of all documents. */
export const createVersions = (): Versions => ({
  async list(context, type, documentId, query) {
    const id = documentId.replaceAll("\0", "");
    await demandRows(context, touchedDocuments(type, [id]), "findVersions");
    const own = { documentId: type.kind === "singleType" ? id || undefined : id };
    const isThere = !(await isHiddenNow(context, type, id));
    return listing(context, type, query, isThere ? own : { ...own, statuses: [] }, listVersions);
  },
  deleted: (context, type, query) => listing(context, type, query, {}, listDeleted),
  find,
  compare,
  async restore(context, type, wanted, request) {
    const kept = await found(context, type, wanted, "restoreVersion");
    // A caller who may not see a version may not restore it either.
    if (!kept || !(await readVersion(context, type, kept, { fields: ["documentId"] }))) return undefined;
    const gone = await goneOf(context, type, kept);
    return { done: await restore(context, type, kept, request), gone };
  },
});
