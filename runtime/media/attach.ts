/** `ref`, `refId` and `field` of an upload: adds the new files to a media attribute of an entry. */
import { and, eq, inArray, isNotNull, sql, type SQL } from "drizzle-orm";
import type { Caller } from "../access/caller.ts";
import { mayPublish, mayReadDrafts } from "../access/drafts.ts";
import { isListed } from "../access/field-lists.ts";
import { ForbiddenError, invalidKey, ValidationError } from "../base/errors.ts";
import { builder, run, send, type Session } from "../database/database.ts";
import { isCopiedToLocales } from "../documents/attributes.ts";
import { checkAllowedTypes, type StoredFile } from "../documents/body/allowed-types.ts";
import type { WriteServices } from "../documents/context.ts";
import type { LinkKeys } from "../documents/links/relations.ts";
import { demandRules } from "../documents/plan/extension-rules.ts";
import { areAllowed, touchedDocuments } from "../documents/sql/allowed.ts";
import { loadVersions, readVersion } from "../documents/sql/version.ts";
import type { ReadServices, RowLimit } from "../query/index.ts";
import { documents } from "../schema/columns.ts";
import type { Attribute, ContentType, MediaAttribute, MediaKind } from "../schema/content-type.ts";
import type { Registry } from "../schema/registry.ts";

/**
 * The media attribute to which files are attached: of one version of a document, or of all its versions in the default
 * locale, as far as the caller may change them. If the attribute is not localized, all locales are changed.
 */
export interface Target {
  readonly type: ContentType;
  readonly name: string;
  readonly attribute: MediaAttribute;
  /** The allowed kinds of files; undefined allows all. */
  readonly types: readonly MediaKind[] | undefined;
  /** As sent by the client: the row id of a version, or a documentId. */
  readonly refId: string;
  /** Whether published versions may be changed too. */
  readonly publishes: boolean;
  /** Whether a draft can be addressed by its row id. Ids can be guessed by counting, so this would reveal drafts. */
  readonly countsDrafts: boolean;
  /** The rows that the caller's rules allow for an action; undefined for all. */
  limitFor(action: string): RowLimit | undefined;
}

/** A row id, if it is in the range of the column. */
export const parseId = (text: string): number | undefined =>
  /^\d{1,10}$/.test(text) && Number(text) <= 2_147_483_647 ? Number(text) : undefined;

/**
 * Finds the attribute to attach files to; undefined unless all three parameters are given, as clients of this wire
 * format expect.
 *
 * @throws ValidationError when the type, field or id is invalid, or the caller's attribute list excludes the attribute;
 *   ForbiddenError when the caller may not change the entry
 */
export const readTarget = (
  { registry, config, queries }: Pick<ReadServices, "config" | "queries"> & { readonly registry: Registry },
  caller: Caller,
  { ref, refId, field }: Readonly<Partial<Record<"ref" | "refId" | "field", string | null | undefined>>>,
): Target | undefined => {
  if (!ref || !refId || !field) return undefined;
  if (!registry.has(ref)) throw new ValidationError(`ref: no content type has the uid "${ref}"`);
  const type = registry.contentType(ref);
  if (!caller.can(`${ref}.update`)) throw new ForbiddenError();
  const attribute = mediaAttribute(type, field);
  if (!attribute) throw new ValidationError(`field: "${field}" is not a media attribute of ${ref}`);
  if (!isListed(caller.fields, type.uid, field, "write")) throw invalidKey(field, { path: field, source: "body" });
  const publishes = !type.draftAndPublish || mayPublish(config, caller, type.uid);
  const countsDrafts = !type.draftAndPublish || mayReadDrafts(config, caller, type.uid);
  const limitFor = (action: string) => queries.limitFor(caller, type, action);
  return { type, name: field, attribute, types: attribute.allowedTypes, refId, publishes, countsDrafts, limitFor };
};

const mediaAttribute = (type: ContentType, name: string): MediaAttribute | undefined => {
  const attributes: Readonly<Record<string, Attribute>> = type.attributes;
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return attribute?.type === "media" && attribute.writable !== false ? attribute : undefined;
};

/** Matches the versions that a target names. */
const versionsOf = ({ type: { table }, refId, countsDrafts }: Target, locale: string): SQL | undefined => {
  const id = parseId(refId);
  if (id !== undefined) return and(eq(table.id, id), countsDrafts ? undefined : isNotNull(table.publishedAt));
  return and(eq(table.documentId, refId), table.locale && eq(table.locale, locale));
};

/**
 * Matches the versions that get the file: if the attribute is the same in all locales, also the other locales' versions
 * of the same status.
 */
const versionsAlike = (target: Target, locale: string): SQL | undefined => {
  const { table } = target.type;
  const named = versionsOf(target, locale);
  if (!table.locale || !isCopiedToLocales(target.attribute)) return named;
  const status = sql`${table.documentId}, ${table.publishedAt} is null`;
  return sql`(${status}) in (select ${status} from ${table} where ${named})`;
};

/** Locks the document, as every writer does, so that nobody else changes its versions meanwhile. */
const lockDocument = (session: Session, target: Target, locale: string): Promise<unknown> => {
  const { table } = target.type;
  const meant = builder.select({ documentId: table.documentId }).from(table);
  const locked = builder
    .select({ documentId: documents.documentId })
    .from(documents)
    .where(inArray(documents.documentId, meant.where(versionsOf(target, locale))));
  return run(session, locked.for("no key update"));
};

interface NamedVersion {
  readonly id: number;
  readonly documentId: string;
}

/** The versions that the caller may change. */
const changeable = async (session: Session, target: Target, locale: string): Promise<readonly NamedVersion[]> => {
  const { type, refId, publishes, limitFor } = target;
  const versions = builder
    .select({ id: type.table.id, documentId: type.table.documentId, publishedAt: type.table.publishedAt })
    .from(type.table)
    .where(versionsAlike(target, locale));
  const found = await run(session, versions);
  const documentIds = found.map(([, documentId]) => String(documentId));
  const meets = (action: string) => areAllowed(session, touchedDocuments(type, documentIds), limitFor(action));
  if (found.length === 0 || !(await meets("find")))
    throw new ValidationError(`refId: ${type.uid} has no entry with the id ${refId}`);
  if (!(await meets("update"))) throw new ForbiddenError();
  const named = found.flatMap(([id, documentId, publishedAt]) =>
    publishes || publishedAt === null ? [{ id: Number(id), documentId: String(documentId) }] : [],
  );
  if (named.length === 0) throw new ForbiddenError();
  return named;
};

/** Validates the versions, with the new file, by the validators of an extension. */
const checkRules = async (
  services: WriteServices,
  session: Session,
  { type, name, attribute }: Target,
  named: readonly NamedVersion[],
  fileId: number,
): Promise<void> => {
  if (!services.registry.isExtended(type.uid)) return;
  const ids = new Set(named.map(({ id }) => id));
  const rows = await send(session, loadVersions(type, [...new Set(named.map(({ documentId }) => documentId))]));
  for (const before of rows.map((row) => readVersion(type, row)).filter(({ id }) => ids.has(id))) {
    const isList = "link" in attribute;
    const after = isList ? before : { ...before, values: { ...before.values, [name]: fileId } };
    const linksOf = (stored: LinkKeys): LinkKeys =>
      isList ? new Map([...stored, [name, [...(stored.get(name) ?? []), String(fileId)]]]) : stored;
    await demandRules(session, { services, type }, before, { after, linksOf });
  }
};

/**
 * Puts a file into the attribute: replaces a single file, or appends to a list.
 *
 * @throws ValidationError when the entry does not exist, the attribute does not allow files of this type, or a validator of
 *   an extension refuses the file; ForbiddenError when only a published version could be changed, and the caller may not do that
 */
export const attachFile = async (
  services: WriteServices,
  session: Session,
  target: Target,
  file: StoredFile,
): Promise<void> => {
  const { attribute, name, type, types } = target;
  checkAllowedTypes(services.config, [{ path: [name], files: [file], allowedTypes: types }]);
  const { id: fileId } = file;
  const locale = services.config.locales.default;
  await lockDocument(session, target, locale);
  const named = await changeable(session, target, locale);
  await checkRules(services, session, target, named, fileId);
  const ids = named.map(({ id }) => id);
  if (!("link" in attribute)) {
    const change = builder.update(type.table).set({ [name]: fileId });
    await run(session, change.where(inArray(type.table.id, ids)));
    return;
  }
  const { link } = attribute;
  for (const versionId of ids) {
    const position = sql<number>`(select coalesce(max(${link.position}), -1) + 1 from ${link} where ${eq(link.versionId, versionId)})`;
    await run(session, builder.insert(link).values({ versionId, fileId, position }));
  }
};
