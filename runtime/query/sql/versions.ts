/** Which version of a document is meant: in which status and locale. */
import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Slot } from "../query.ts";
import { input, slot } from "./compile.ts";
import type { RowScope } from "./scope.ts";

/**
 * Restricts the target to one status. If the source may be of either status, the target must have the same status as
 * the source.
 */
export const statusOf = (target: RowScope, from?: RowScope): SQL | undefined => {
  if (!target.owner.type.draftAndPublish) return undefined;
  const publishedAt = target.publishedAt;
  if (target.status === "draft") return isNull(publishedAt);
  if (target.status === "published") return isNotNull(publishedAt);
  if (from?.owner.type.draftAndPublish !== true) return undefined;
  return sql`(${publishedAt} is null) = (${from.publishedAt} is null)`;
};

/**
 * The condition for the version in the first of some locales that the document has. Written so that PostgreSQL can
 * compare all rows at once, instead of looking up the versions of each document.
 */
export const inFirstLocale = (scope: RowScope, wanted: Slot): SQL => {
  const codes = sql`${slot(wanted)}::text[]`;
  const place = ({ locale }: RowScope) => sql`array_position(${codes}, ${locale}::text)`;
  const other = scope.build.rows(scope.owner.uid, scope.status);
  const before = and(eq(other.documentId, scope.documentId), statusOf(other), sql`${place(other)} < ${place(scope)}`);
  return sql`(${scope.locale} = any(${codes}) and not exists (select from ${other.from} where ${before}))`;
};

/**
 * Restricts the target to the source's locale if both have locales; to the default locale if only the target has, seen
 * from the owning side. Where locales fall back, restricts it to the first of them that the target has.
 */
export const localeOf = (target: RowScope, from: RowScope, owning: boolean): SQL | undefined => {
  if (!target.owner.type.localized) return undefined;
  const { fallback } = target.build;
  if (fallback !== undefined) return inFirstLocale(target, fallback);
  if (from.owner.type.localized) return eq(target.locale, from.locale);
  return owning ? eq(target.locale, input("default:locale")) : undefined;
};
