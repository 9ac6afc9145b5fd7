/** Translation status: the state of documents in each configured locale. */
import { mayReadDrafts } from "../access/drafts.ts";
import type { Locales } from "../client/answers.ts";
import type { ContentType } from "../schema/content-type.ts";
import { Budget, UNLIMITED } from "./check/budget.ts";
import { unlimited } from "./check/pagination.ts";
import { objectsOf } from "./output/document.ts";
import { type RawQuery, type ReadContext, readMany } from "./read.ts";

interface Translated {
  readonly isPublished: boolean;
  /** When it was last changed; an empty text if the caller may not see that. */
  readonly updatedAt: string;
}

const stateOf = (version: Translated | undefined, source: Translated | undefined): Locales[string] => {
  if (version === undefined) return "missing";
  if (source !== undefined && version.updatedAt < source.updatedAt) return "outdated";
  return version.isPublished ? "published" : "draft";
};

const keyOf = (documentId: unknown, locale: unknown): string => `${String(documentId)} ${String(locale)}`;

/**
 * The state of each document in each locale, as far as the caller may see its versions. A version is outdated if the
 * one in the default locale was changed later.
 *
 * @param filters what a hook adds to the queries of clients
 */
export const localesOf = async (
  context: ReadContext,
  type: ContentType,
  documentIds: readonly string[],
  { filters }: RawQuery = {},
): Promise<ReadonlyMap<string, Locales>> => {
  const { services, caller, session } = context;
  const { config } = services;
  const budget = new Budget(config, UNLIMITED);
  const reading: ReadContext = { services, caller, session, budget, code: true, limits: unlimited };
  const isDated = services.queries.shows(caller, type, "updatedAt");
  const named = { documentId: { $in: documentIds } };
  const query = {
    locale: "*",
    filters: filters === undefined ? named : { $and: [named, filters] },
    fields: ["documentId", "locale", ...(isDated ? ["updatedAt"] : [])],
    pagination: { start: 0, limit: unlimited.maxLimit, withCount: false },
  };
  const seesDrafts = type.draftAndPublish && mayReadDrafts(config, caller, type.uid);
  const statuses = seesDrafts ? ["published", "draft"] : ["published"];
  const read = await Promise.all(statuses.map((status) => readMany(reading, type, { ...query, status })));
  const versions = new Map<string, Translated>();
  for (const [index, { documents }] of read.entries()) {
    for (const { documentId, locale, updatedAt = "" } of objectsOf(documents)) {
      const key = keyOf(documentId, locale);
      const isPublished = index === 0 || versions.get(key)?.isPublished === true;
      versions.set(key, { isPublished, updatedAt: String(updatedAt) });
    }
  }
  const { codes, default: standard } = config.locales;
  return new Map(
    documentIds.map((documentId) => {
      const source = versions.get(keyOf(documentId, standard));
      const states = codes.map((code) => [code, stateOf(versions.get(keyOf(documentId, code)), source)] as const);
      return [documentId, Object.fromEntries(states)];
    }),
  );
};
