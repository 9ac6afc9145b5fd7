/** What a link shows: one document in one locale, as far as its maker may read it. */
import type { Caller } from "../access/caller.ts";
import { mayReadDrafts } from "../access/drafts.ts";
import type { FieldLists } from "../access/field-lists.ts";
import type { RowFilter } from "../access/row-rules.ts";
import { ForbiddenError } from "../base/errors.ts";
import { remembering } from "../base/remembering.ts";
import type { OperationServices } from "../documents/operations/index.ts";
import { limited, limitsOf, shown } from "../documents/read-hooks.ts";
import { type RawQuery, readOne, type RowSet } from "../query/index.ts";
import type { ContentType, Uid } from "../schema/content-type.ts";

/** A document in a locale, which is null for types without locales. */
export interface Shared {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
}

/** What else a link may show: the published documents that the public may find, and those of the named types. */
export interface Beside {
  readonly visitor: Pick<Caller, "can" | "fields" | "rows"> | undefined;
  readonly related: readonly string[];
}

type Filters = readonly RowFilter[] | undefined;

/** The filters for what meets both: a filter of each. Undefined filters cover all documents. */
const both = (some: Filters, others: Filters): Filters => {
  if (!some || !others) return some ?? others;
  return some.flatMap((one) =>
    others.map((other) => ({
      where: { $and: [one.where ?? {}, other.where ?? {}] },
      locales: other.locales?.filter((locale) => one.locales?.includes(locale) ?? true) ?? one.locales,
    })),
  );
};

/** The lists of a maker, with those of the public for types that are shown because the public may find them. */
const mergedLists = (maker: FieldLists, visitor: FieldLists, isOwn: (uid: Uid) => boolean): FieldLists => {
  const lists = new Map(maker);
  for (const [uid, { read }] of visitor) {
    const own = maker.get(uid);
    const seen = read && own?.read ? new Set([...read].filter((name) => own.read?.has(name))) : (read ?? own?.read);
    if (!isOwn(uid)) lists.set(uid, { read: seen, write: own?.write });
  }
  return lists;
};

const UNLIMITED: FieldLists = new Map();

/** Merged lists by the type of the shared document. Queries are cached by the lists, so equal ones are one object. */
const merged = remembering((_visitor: FieldLists) => remembering((_maker: FieldLists) => new Map<Uid, FieldLists>()));

/** The attributes that a link may show. */
const fieldsOf = (maker: Caller, { visitor, related }: Beside, uid: Uid): FieldLists | undefined => {
  if (!visitor?.fields) return maker.fields;
  const { fields = UNLIMITED } = maker;
  const known = merged(visitor.fields)(fields);
  const lists = known.get(uid) ?? mergedLists(fields, visitor.fields, (each) => each === uid || related.includes(each));
  known.set(uid, lists);
  return lists;
};

/**
 * The maker, limited to one document: nothing else of its type is shown, in no other locale, nor drafts of other types,
 * and relations lead only to what is listed beside it.
 */
const readerOf = (
  { registry }: Pick<OperationServices, "registry">,
  maker: Caller,
  { type: { uid }, documentId, locale }: Shared,
  beside: Beside,
): Caller => {
  const { visitor, related } = beside;
  const found = new Set(related.map((each) => `${each}.find`));
  const direct = new Set(["find", "findOne", "readDraft"].map((name) => `${uid}.${name}`));
  const filters = new Map(maker.rows?.filters);
  const limit = (action: string, by: Filters): void => {
    const own = both(filters.get(action), by);
    if (own) filters.set(action, own);
  };
  for (const { type } of Object.values(registry.contentTypes)) {
    if (type.uid === uid) continue;
    if (type.draftAndPublish) filters.set(`${type.uid}.readDraft`, []);
    if (found.has(`${type.uid}.find`)) continue;
    for (const action of [`${type.uid}.find`, `${type.uid}.findOne`]) limit(action, visitor?.rows?.filters.get(action));
  }
  limit(`${uid}.find`, [{ where: { documentId }, locales: locale === null ? undefined : [locale] }]);
  const fields = fieldsOf(maker, beside, uid);
  return {
    ...maker,
    ...(fields ? { fields } : {}),
    rows: { key: JSON.stringify([...filters]), filters },
    can: (action) => maker.can(action) && (direct.has(action) || found.has(action) || visitor?.can(action) === true),
  };
};

/** @throws ForbiddenError for a maker who may not read drafts of the type */
const demandAllowed = ({ config }: Pick<OperationServices, "config">, maker: Caller, { type }: Shared): void => {
  const isAllowed = maker.can(`${type.uid}.${type.kind === "singleType" ? "find" : "findOne"}`);
  if (!isAllowed || (type.draftAndPublish && !mayReadDrafts(config, maker, type.uid))) throw new ForbiddenError();
};

/** Reads the draft of a shared document; null if its maker may not, or it is gone. */
export const readShared = async (
  services: OperationServices,
  maker: Caller,
  shared: Shared,
  { query, beside }: { readonly query: RawQuery; readonly beside: Beside },
): Promise<RowSet | null> => {
  demandAllowed(services, maker, shared);
  const { type, documentId, locale } = shared;
  const context = { services, caller: readerOf(services, maker, shared, beside) };
  const own: RawQuery = {
    ...query,
    ...(type.draftAndPublish ? { status: "draft" } : {}),
    ...(locale === null ? {} : { locale }),
  };
  const document = await readOne(context, type, documentId, limited(own, await limitsOf(context, type)));
  return document && shown(context, document);
};
