/** Statements about what a search has found, beside its page: counts by value, and texts. */
import { and, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Condition, Facet } from "../query.ts";
import { compileLater, input, type Statement } from "../sql/compile.ts";
import { reach } from "../sql/reach.ts";
import { fieldIn, memberOf, type RowScope } from "../sql/scope.ts";
import { markedTextOf } from "../sql/words.ts";

/** The rows of a list. */
export interface Counted {
  readonly scope: RowScope;
  readonly where: SQL | undefined;
  /** Whether PostgreSQL estimates what reading all of them costs. */
  readonly isEstimated: boolean;
}

/** The maximum number of values that a facet lists. */
const VALUES = 100;

/** Counts the rows of a list by their values of an attribute: by the documentIds behind a relation. */
export const planFacet = ({ scope, where, isEstimated }: Counted, { name, status }: Facet): Statement =>
  compileLater(isEstimated, () => {
    const member = memberOf(scope.owner, name);
    const most = sql`group by 1 order by 2 desc, 1 limit ${sql.raw(String(VALUES))}`;
    if (member.kind === "scalar") {
      const value = fieldIn(scope, member);
      return sql`select ${value}::text, count(*)::int from ${scope.from} where ${and(where, isNotNull(value))} ${most}`;
    }
    if (status === undefined) throw new Error(`${name} has no values to count`);
    const { target, link, where: related } = reach(scope, name, status);
    const links = link ? [sql`${link.table} ${sql.identifier(link.alias)}`] : [];
    const tables = sql.join([scope.from, ...links, target.from], sql`, `);
    return sql`select ${target.documentId}, count(distinct ${scope.id})::int from ${tables} where ${and(where, link?.on, related)} ${most}`;
  });

type Words = Extract<Condition, { readonly kind: "words" }>;

/** Reads the texts of rows by their ids, if they meet the condition. */
export const planSnippets = (scope: RowScope, search: Words, where: SQL | undefined): Statement =>
  compileLater(false, () => {
    const { text, marked } = markedTextOf(scope, search);
    const named = sql`${scope.id} = any(${input("keys")}::int[])`;
    return sql`select ${scope.id}, ${text}, ${marked} from ${scope.from} where ${and(named, where)}`;
  });
