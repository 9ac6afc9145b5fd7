/**
 * Plans: what a checked query compiles to. They hold no values and no rows, so one plan serves every request of its
 * shape.
 */
import type { ComponentUid, ScalarType, Uid } from "../../schema/content-type.ts";
import type { Window } from "../query.ts";
import type { Statement } from "../sql/compile.ts";

/** A scalar of a component. */
export interface EntryScalar {
  readonly name: string;
  readonly type: ScalarType;
}

/** A scalar of a row, and where in the row its value stands. */
export interface ColumnPlan extends EntryScalar {
  readonly index: number;
}

/** What is read of rows of one type, and what is read next to complete them. */
export interface RowLevel {
  readonly uid: Uid;
  /** What is shown of a row, in the order of the answer: its scalars, then what is populated. */
  readonly columns: readonly ColumnPlan[];
  readonly members: readonly MemberPlan[];
  /** Documents and files whose keys stand in the rows: one statement each, however many attributes lead there. */
  readonly groups: readonly GroupPlan[];
  /** Rows that lead here by a link table or by a column of their own: one statement each. */
  readonly joins: readonly JoinPlan[];
  readonly links: readonly LinkPlan[];
  /** Whether the type has drafts: what `publishedAt` tells of the rows of others, they have in common. */
  readonly drafts: boolean;
  /** Rows behind a relation to any type, which say at their end of which type they are. */
  readonly typed: boolean;
  readonly idIndex: number;
  readonly documentIdIndex: number;
  /** Undefined where the type has no locales. */
  readonly localeIndex: number | undefined;
}

/** What is shown of entries of one component. */
export interface EntryLevel {
  readonly uid: ComponentUid;
  readonly scalars: readonly EntryScalar[];
  readonly members: readonly MemberPlan[];
}

/** Where a member's value stands: in a column of the row, or under its name in a component's JSON. */
export interface MemberSource {
  readonly name: string;
  /** What it is called in the answer. */
  readonly as: string;
  readonly index: number | undefined;
}

/** What leads to rows of one type. */
interface Leading {
  readonly many: boolean;
  readonly count: boolean;
  /** A relation to any type ends here: of files, or of what the other side of one shows. */
  readonly loose: boolean;
}

export type MemberPlan = MemberSource &
  (
    | (GroupTarget & Leading & { readonly kind: "lookup" })
    | (Leading & { readonly kind: "join"; readonly join: number; readonly target: RowLevel })
    | {
        readonly kind: "morph";
        readonly many: boolean;
        readonly count: boolean;
        /** By uid: the group that reads documents of the type. */
        readonly groups: ReadonlyMap<string, GroupTarget>;
        /** The column with the uid, beside the column with the documentId. */
        readonly typeIndex: number | undefined;
        /** Reads the links, for a to-many relation that has a link table. */
        readonly links: number | undefined;
      }
    | {
        readonly kind: "component";
        /** The part that is shown of a list, which stands in the row. */
        readonly window: Window | undefined;
        readonly repeatable: boolean;
        readonly count: boolean;
        readonly level: EntryLevel;
        /** The column that lists the ids of the entries to show, in order; undefined shows all as they stand. */
        readonly chosenIndex: number | undefined;
      }
    | { readonly kind: "zone"; readonly count: boolean; readonly levels: ReadonlyMap<string, ZoneEntryLevel> }
  );

/** One of the groups of a level, by its index, and what is shown of its rows. */
export interface GroupTarget {
  readonly group: number;
  readonly target: RowLevel;
}

export interface ZoneEntryLevel extends EntryLevel {
  /** As for components. */
  readonly chosenIndex: number | undefined;
}

export interface GroupPlan {
  readonly statement: Statement;
  readonly level: RowLevel;
  /** Keys are ids of files instead of documentIds. */
  readonly files: boolean;
  readonly localized: boolean;
  /** Lists are shown in the order of the statement instead of their own. */
  readonly sorted: boolean;
  /** Where a part of each list is read: the index, in the rows, of the number of the list. */
  readonly listIndex: number | undefined;
}

export interface JoinPlan {
  readonly statement: Statement;
  readonly level: RowLevel;
  /** The index, in the rows that are read, of what ties them to their parent. */
  readonly keyIndex: number;
  readonly parentKey: "id" | "documentId";
  /** `same`: only rows in the parent's locale; `other`: only in another; `any`: all of them. */
  readonly locale: "same" | "other" | "any";
  /** Beside the key of each parent stands its locale. */
  readonly paired: boolean;
}

/** Links to documents of any type: rows of version id, uid and documentId. */
export interface LinkPlan {
  readonly statement: Statement;
}

export interface Plan {
  readonly page: Statement;
  readonly total: Statement;
  /**
   * Page and total in one pass over what the filters match, with the total at the end of every row. An empty page says
   * nothing of the total.
   */
  readonly counted: { readonly statement: Statement; readonly totalIndex: number } | undefined;
  /** One document by its documentId. */
  readonly one: Statement;
  readonly level: RowLevel;
}
