/** What `cms doctor` finds. */

/** Something that is wrong. */
export interface Problem {
  /** What is wrong, in one line. */
  readonly title: string;
  /** What comes of it, and what to do where that is no SQL. */
  readonly why: string;
  /** The statements that mend it; none where SQL does not. */
  readonly sql: readonly string[];
}

export const problem = (title: string, why: string, ...sql: readonly string[]): Problem => ({ title, why, sql });

/** An index that would make requests cheaper. Nothing is wrong without it. */
export interface Proposal {
  /** The uid of the content type. */
  readonly type: string;
  readonly table: string;
  /** Which requests it is for. */
  readonly title: string;
  readonly why: string;
  /** About how many rows the table has. */
  readonly versions: number;
  /** How long such requests have taken together, as far as it is known. */
  readonly milliseconds: number;
  /** About how large it will be; undefined where the database has no statistics. */
  readonly bytes: number | undefined;
  /** The name of the index. */
  readonly name: string;
  /** What follows `create index concurrently if not exists <name>`. */
  readonly definition: string;
  /** The extension that has to be created first. */
  readonly extension?: string;
}

/** Attributes of a large type that no index helps to sort or filter by. */
export interface Unindexed {
  readonly type: string;
  readonly table: string;
  readonly versions: number;
  readonly attributes: readonly { readonly name: string; readonly bytes: number | undefined }[];
}

/** The whole answer. */
export interface Report {
  /** Such as `PostgreSQL 16.4`. */
  readonly version: string;
  readonly tables: number;
  readonly problems: readonly Problem[];
  readonly proposals: readonly Proposal[];
  readonly unindexed: readonly Unindexed[];
  /** What is good to know. */
  readonly notes: readonly string[];
  /** What could not be read, and why. */
  readonly unread: readonly string[];
}
