/** SQL for publication filters, which compare a version with other versions of its document. */
import { and, eq, exists, isNotNull, isNull, not, type SQL, sql } from "drizzle-orm";
import { builder } from "../../database/statement.ts";
import type { Cohort, AnyStatus } from "../query.ts";
import { type Build, localeColumn, type RowScope, rowScope, systemColumn, tableOf } from "./scope.ts";

/** Whether the row of `scope` belongs to the cohort. */
export const cohortIn = (build: Build, scope: RowScope, cohort: Cohort): SQL => {
  switch (cohort) {
    case "never-published":
      return not(sibling(build, scope, "published", true));
    case "has-published-version":
      return sibling(build, scope, "published", true);
    case "never-published-document":
      return not(sibling(build, scope, "published", false));
    case "has-published-version-document":
      return sibling(build, scope, "published", false);
    case "published-with-draft":
      return published(scope, sibling(build, scope, "draft", true));
    case "published-without-draft":
      return published(scope, not(sibling(build, scope, "draft", true)));
    case "newest":
      return sql`(${isNotNull(systemColumn(scope, "publishedAt"))} or ${not(sibling(build, scope, "published", true))})`;
    case "modified":
    case "unmodified":
      return changed(build, scope, cohort === "modified");
  }
};

/** A condition that only published versions can meet. */
const published = (scope: RowScope, condition: SQL): SQL =>
  sql`(${and(isNotNull(systemColumn(scope, "publishedAt")), condition)})`;

/** Whether the document has a version of the status; with `sameLocale`, in the same locale. */
const sibling = (build: Build, scope: RowScope, status: AnyStatus, sameLocale: boolean): SQL => {
  const other = rowScope(build, scope.owner, status);
  return exists(
    builder
      .select({ one: sql`1` })
      .from(tableOf(other))
      .where(paired(scope, other, sameLocale)),
  );
};

const paired = (scope: RowScope, other: RowScope, sameLocale: boolean): SQL | undefined => {
  const publishedAt = systemColumn(other, "publishedAt");
  const localized = scope.owner.type.localized && sameLocale;
  return and(
    eq(systemColumn(other, "documentId"), systemColumn(scope, "documentId")),
    other.status === "draft" ? isNull(publishedAt) : isNotNull(publishedAt),
    localized ? eq(localeColumn(other), localeColumn(scope)) : undefined,
  );
};

/** Whether the draft was written after the published version (`modified`) or not. Both versions must exist. */
const changed = (build: Build, scope: RowScope, modified: boolean): SQL => {
  const draft = rowScope(build, scope.owner, "draft");
  const live = rowScope(build, scope.owner, "published");
  const later = sql`${systemColumn(draft, "updatedAt")} > ${systemColumn(live, "updatedAt")}`;
  return exists(
    builder
      .select({ one: sql`1` })
      .from(tableOf(draft))
      .innerJoin(tableOf(live), paired(draft, live, true) ?? sql`true`)
      .where(and(paired(scope, draft, true), modified ? later : not(later))),
  );
};
