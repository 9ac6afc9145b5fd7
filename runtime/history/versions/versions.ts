/** Lists, reads, compares and restores the kept versions of documents. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { GonePart, VersionDifference, VersionInfo } from "../../client/answers.ts";
import type {
  KeptVersion,
  OperationContext,
  VersionList,
  Versions,
  WantedVersion,
} from "../../documents/operations/context.ts";
import { shown } from "../../documents/read-hooks.ts";
import { checkWindow, jsonOf, type RawQuery, readOne, type RowSet } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { goneReferences } from "./gone.ts";
import { isHiddenNow, isLimited, keptOf, mayRead, queryFor, readVersion, sessionOf } from "./readable.ts";
import { restore } from "./restore.ts";
import { type KeptRow, listDeleted, listVersions, type Wanted } from "./rows.ts";
import { goneValues, presentValues } from "./stored.ts";

/** What the caller may see of a version. */
const seen = (context: OperationContext, type: ContentType, info: VersionInfo): VersionInfo => ({
  ...info,
  changed: info.changed && info.changed.filter((name) => isSeen(context, type, name)),
});

/**
 * Whether the caller learns that a version has an attribute. Undeclared ones may have been private, so clients learn
 * their names only if they may change documents of the type, and see all of its attributes.
 */
const isSeen = ({ services, caller, trusted }: OperationContext, type: ContentType, name: string): boolean => {
  if (trusted) return true;
  if (!Object.hasOwn(type.attributes, name))
    return caller.fields?.has(type.uid) !== true && caller.can(`${type.uid}.update`);
  return services.queries.shows(caller, type, name);
};

/** What is gone from a version. Only application code gets undeclared values, since they may be private. */
export const goneOf = async (context: OperationContext, type: ContentType, { content }: KeptRow) => {
  const { services, trusted = false } = context;
  const values = presentValues(type, content);
  const own = goneValues(type, content).map(({ value, ...part }): GonePart => (trusted ? { ...part, value } : part));
  const hidden = services.config.rest.privateAttributes;
  const isShown = (name: string, attribute: { readonly private?: boolean }): boolean =>
    trusted || (attribute.private !== true && !hidden.includes(name));
  const told = { registry: services.registry, isShown };
  const all = [...own, ...(await goneReferences(sessionOf(context), told, type, values))];
  return all.filter(({ path }) => isSeen(context, type, path.split(".")[0] ?? ""));
};

const found = async (
  context: OperationContext,
  type: ContentType,
  wanted: WantedVersion,
): Promise<KeptRow | undefined> => {
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
  const kept = await found(context, type, wanted);
  if (!kept) return undefined;
  const asked = { populate: "*", ...query };
  const { to } = query;
  const one = await readVersion(context, type, kept, asked);
  if (!one) return undefined;
  const other = to === undefined ? undefined : await found(context, type, { ...wanted, version: Number(to) });
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
  const kept = await found(context, type, wanted);
  const document = kept && (await readVersion(context, type, kept, query));
  if (!document) return undefined;
  return { info: seen(context, type, kept.info), document, gone: await goneOf(context, type, kept) };
};

/** The versions of all documents. */
export const createVersions = (): Versions => ({
  async list(context, type, documentId, query) {
    const id = documentId.replaceAll("\0", "");
    const own = { documentId: type.kind === "singleType" ? id || undefined : id };
    const isThere = !(await isHiddenNow(context, type, id));
    return listing(context, type, query, isThere ? own : { ...own, statuses: [] }, listVersions);
  },
  deleted: (context, type, query) => listing(context, type, query, {}, listDeleted),
  find,
  compare,
  async restore(context, type, wanted, request) {
    const kept = await found(context, type, wanted);
    // A caller who may not see a version may not restore it either.
    if (!kept || !(await readVersion(context, type, kept, { fields: ["documentId"] }))) return undefined;
    const gone = await goneOf(context, type, kept);
    return { done: await restore(context, type, kept, request), gone };
  },
});
