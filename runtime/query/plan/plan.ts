/**
 * Plans: compiled queries. A plan holds neither values nor rows, so it serves every request whose query has the same
 * shape.
 */
import type { ComponentUid, ScalarType, Uid } from "../../schema/content-type.ts";
import type { Window } from "../query.ts";
import type { Statement } from "../sql/compile.ts";

/** A scalar attribute of a component. */
export interface EntryScalar {
  readonly name: string;
  readonly type: ScalarType;
}

/** A scalar of a row, with its column index. */
export interface ColumnPlan extends EntryScalar {
  readonly index: number;
}

/** The plan for rows of one type: what to show, and what to read next for their relations. */
export interface RowLevel {
  readonly uid: Uid;
  /** The scalars to show, in response order; populated members follow them. */
  readonly columns: readonly ColumnPlan[];
  readonly members: readonly MemberPlan[];
  /** Reads by key in these rows: one statement each, shared by attributes with the same target and options. */
  readonly groups: readonly GroupPlan[];
  /** Reads by parent: rows that refer to these rows by a link table or a column. One statement each. */
  readonly joins: readonly JoinPlan[];
  readonly links: readonly LinkPlan[];
  /** Whether the type has draft & publish. Without it, `publishedAt` is the same for every row and means nothing. */
  readonly drafts: boolean;
  /** Whether rows show their type at the end, as those behind a relation to any type do. */
  readonly typed: boolean;
  readonly idIndex: number;
  readonly documentIdIndex: number;
  /** The column index of the locale; undefined for types without locales. */
  readonly localeIndex: number | undefined;
}

/** What to show of the entries of one component. */
export interface EntryLevel {
  readonly uid: ComponentUid;
  readonly scalars: readonly EntryScalar[];
  readonly members: readonly MemberPlan[];
}

/** Where a member's value is: in a column of the row, or under its name in a component's JSON. */
export interface MemberSource {
  readonly name: string;
  /** The member's name in the response. */
  readonly as: string;
  readonly index: number | undefined;
}

/** A member that leads to rows of one type. */
interface Leading {
  readonly many: boolean;
  readonly count: boolean;
  /** Whether it is an inverse side of a relation to any type, or that of files: nested formats end here. */
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
        /** The group for each type, by uid. */
        readonly groups: ReadonlyMap<string, GroupTarget>;
        /** The index of the column with the uid, next to that with the documentId. */
        readonly typeIndex: number | undefined;
        /** The index of the plan that reads the links, for a to-many relation with a link table. */
        readonly links: number | undefined;
      }
    | {
        readonly kind: "component";
        /** The part of the list to show; the list itself is in the row. */
        readonly window: Window | undefined;
        readonly repeatable: boolean;
        readonly count: boolean;
        readonly level: EntryLevel;
        /**
         * The index of the column with the ids of the entries to show, in order; undefined shows all in stored order.
         */
        readonly chosenIndex: number | undefined;
      }
    | { readonly kind: "zone"; readonly count: boolean; readonly levels: ReadonlyMap<string, ZoneEntryLevel> }
  );

/** A group of the level by its index, and what to show of its rows. */
export interface GroupTarget {
  readonly group: number;
  readonly target: RowLevel;
}

export interface ZoneEntryLevel extends EntryLevel {
  /** The same as for components. */
  readonly chosenIndex: number | undefined;
}

export interface GroupPlan {
  readonly statement: Statement;
  readonly level: RowLevel;
  /** Whether keys are ids of files instead of documentIds. */
  readonly files: boolean;
  readonly localized: boolean;
  /** Whether lists are in the statement's order instead of that of their keys. */
  readonly sorted: boolean;
  /** If lists are read one by one: the index of the column with the number of the list. */
  readonly listIndex: number | undefined;
}

export interface JoinPlan {
  readonly statement: Statement;
  readonly level: RowLevel;
  /** The index of the column in the rows that holds the parent's key. */
  readonly keyIndex: number;
  readonly parentKey: "id" | "documentId";
  /** `same`: only rows in the parent's locale; `other`: only in another; `any`: all of them. */
  readonly locale: "same" | "other" | "any";
  /** Whether the statement takes each parent's locale next to its key. */
  readonly paired: boolean;
}

/** Reads links to documents of any type: rows with version id, uid and documentId. */
export interface LinkPlan {
  readonly statement: Statement;
}

/** How to read pages with cursors. */
export interface WalkPlan {
  /** The index of the first column with a sort value, as text. */
  readonly firstValue: number;
  /** Reads the sort values of the entry after which the page begins, if the cursor does not hold all of them. */
  readonly values: Statement | undefined;
}

export interface Plan {
  readonly page: Statement;
  /** For lists that are read with cursors. */
  readonly walk: WalkPlan | undefined;
  readonly total: Statement;
  /** Counts the values of attributes in the whole list, by the name of the attribute. */
  readonly facets: readonly (readonly [name: string, Statement])[];
  /** Reads the texts of rows, and these with the words of the search marked. */
  readonly snippets: Statement | undefined;
  /** Reads one document by its documentId. */
  readonly one: Statement;
  readonly level: RowLevel;
}
