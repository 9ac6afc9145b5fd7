/** SQL for publication filters, which compare a version with other versions of its document. */
import { and, eq, exists, isNotNull, isNull, not, type SQL, sql } from "drizzle-orm";
import { builder } from "../../database/statement.ts";
import type { Cohort, AnyStatus } from "../query.ts";
import type { RowScope } from "./scope.ts";

/** Whether the row of `scope` belongs to the cohort. */
export const cohortIn = (scope: RowScope, cohort: Cohort): SQL => {
  switch (cohort) {
    case "never-published":
      return not(sibling(scope, "published", true));
    case "has-published-version":
      return sibling(scope, "published", true);
    case "never-published-document":
      return not(sibling(scope, "published", false));
    case "has-published-version-document":
      return sibling(scope, "published", false);
    case "published-with-draft":
      return published(scope, sibling(scope, "draft", true));
    case "published-without-draft":
      return published(scope, not(sibling(scope, "draft", true)));
    case "newest":
      return sql`(${isNotNull(scope.publishedAt)} or ${not(sibling(scope, "published", true))})`;
    case "modified":
    case "unmodified":
      return changed(scope, cohort === "modified");
  }
};

/** A condition that only published versions can meet. */
const published = (scope: RowScope, condition: SQL): SQL => sql`(${and(isNotNull(scope.publishedAt), condition)})`;

/** Whether the document has a version of the status; with `sameLocale`, in the same locale. */
const sibling = (scope: RowScope, status: AnyStatus, sameLocale: boolean): SQL => {
  const other = scope.build.rows(scope.owner.uid, status);
  return exists(
    builder
      .select({ one: sql`1` })
      .from(other.table)
      .where(paired(scope, other, sameLocale)),
  );
};

const paired = (scope: RowScope, other: RowScope, sameLocale: boolean): SQL | undefined => {
  const localized = scope.owner.type.localized && sameLocale;
  return and(
    eq(other.documentId, scope.documentId),
    other.status === "draft" ? isNull(other.publishedAt) : isNotNull(other.publishedAt),
    localized ? eq(other.locale, scope.locale) : undefined,
  );
};

/** Whether the draft was written after the published version (`modified`) or not. Both versions must exist. */
const changed = (scope: RowScope, modified: boolean): SQL => {
  const draft = scope.build.rows(scope.owner.uid, "draft");
  const live = scope.build.rows(scope.owner.uid, "published");
  const later = sql`${draft.updatedAt} > ${live.updatedAt}`;
  return exists(
    builder
      .select({ one: sql`1` })
      .from(draft.table)
      .innerJoin(live.table, paired(draft, live, true) ?? sql`true`)
      .where(and(paired(scope, draft, true), modified ? later : not(later))),
  );
};
