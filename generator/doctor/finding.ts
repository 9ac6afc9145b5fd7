/** Findings of `cms doctor`. */

/** A problem. */
export interface Problem {
  /** The problem, in one line. */
  readonly title: string;
  /** Its consequences, and what to do if SQL cannot fix it. */
  readonly why: string;
  /** The statements that fix it; none if SQL cannot. */
  readonly sql: readonly string[];
}

export const problem = (title: string, why: string, ...sql: readonly string[]): Problem => ({ title, why, sql });

/** An index that would make requests cheaper. Its absence is not a problem. */
export interface Proposal {
  /** The uid of the content type. */
  readonly type: string;
  readonly table: string;
  /** The requests that benefit. */
  readonly title: string;
  readonly why: string;
  /** The approximate number of rows of the table. */
  readonly versions: number;
  /** The total time of such requests, if known. */
  readonly milliseconds: number;
  /** Its approximate size; undefined if the database has no statistics. */
  readonly bytes: number | undefined;
  /** The name of the index. */
  readonly name: string;
  /** The SQL after `create index concurrently if not exists <name>`. */
  readonly definition: string;
  /** The extension to create first. */
  readonly extension?: string;
}

/** Attributes of a large type that have no index for sorting or filtering. */
export interface Unindexed {
  readonly type: string;
  readonly table: string;
  readonly versions: number;
  readonly attributes: readonly { readonly name: string; readonly bytes: number | undefined }[];
}

/** The whole report. */
export interface Report {
  /** Such as `PostgreSQL 16.4`. */
  readonly version: string;
  readonly tables: number;
  readonly problems: readonly Problem[];
  readonly proposals: readonly Proposal[];
  readonly unindexed: readonly Unindexed[];
  /** Useful facts. */
  readonly notes: readonly string[];
  /** What could not be read, and why. */
  readonly unread: readonly string[];
}
