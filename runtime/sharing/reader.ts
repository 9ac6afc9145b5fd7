/** What a link shows: one document in one locale, as far as its maker may read it. */
import type { Caller } from "../access/caller.ts";
import { mayReadDrafts } from "../access/drafts.ts";
import type { RowFilter } from "../access/row-rules.ts";
import { ForbiddenError } from "../base/errors.ts";
import { isNarrowed, limited, limitsOf, shown } from "../documents/hooks.ts";
import type { OperationServices } from "../documents/operations/index.ts";
import { type Query, type RawQuery, readOne, type RowSet } from "../query/index.ts";
import type { ContentType } from "../schema/content-type.ts";

/** A document in a locale, which is null for types without locales. */
export interface Shared {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
}

/** Limits the filters of a rule, or the lack of one, to the document. */
const limitedTo = (
  { documentId, locale }: Shared,
  own: readonly RowFilter[] = [{ where: undefined, locales: undefined }],
): readonly RowFilter[] =>
  own
    .filter(({ locales }) => locale === null || locales === undefined || locales.includes(locale))
    .map(({ where }) => ({
      where: where ? { $and: [where, { documentId }] } : { documentId },
      locales: locale === null ? undefined : [locale],
    }));

/** What else a link may show: the published documents that the public may find, and those of the named types. */
export interface Beside {
  readonly visitor: Pick<Caller, "can"> | undefined;
  readonly related: readonly string[];
}

/**
 * The maker, limited to one document: of no other one are drafts shown, nor other locales of this one, and relations
 * lead only to what is listed beside it.
 */
const readerOf = (
  { registry }: Pick<OperationServices, "registry">,
  maker: Caller,
  shared: Shared,
  { visitor, related }: Beside,
): Caller => {
  const { uid } = shared.type;
  const found = new Set(related.map((each) => `${each}.find`));
  const own = new Set(["find", "findOne", "readDraft"].map((name) => `${uid}.${name}`));
  const filters = new Map(maker.rows?.filters);
  for (const { type } of Object.values(registry.contentTypes)) {
    const action = `${type.uid}.readDraft`;
    if (type.draftAndPublish) filters.set(action, type.uid === uid ? limitedTo(shared, filters.get(action)) : []);
  }
  return {
    ...maker,
    rows: { key: JSON.stringify([...filters]), filters },
    can: (action) => maker.can(action) && (own.has(action) || found.has(action) || visitor?.can(action) === true),
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
  const asked: Query = isNarrowed(services, type) ? limited(own, await limitsOf(context, type)) : own;
  const document = await readOne(context, type, documentId, asked);
  return document && shown(context, document);
};
