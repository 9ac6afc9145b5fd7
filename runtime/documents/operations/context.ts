/** What every operation needs: the caller, the request, and how to read the result. */
import type { Caller } from "../../access/caller.ts";
import type { GonePart, Schedule, VersionDifference, VersionInfo } from "../../client/answers.ts";
import type { Session } from "../../database/database.ts";
import type { Pagination, RawQuery, ReadContext, ReadServices, RowSet } from "../../query/index.ts";
import type { ContentType, Uid } from "../../schema/content-type.ts";
import type { WriteServices, FollowUps } from "../context.ts";
import type { Hooks, HookServices } from "../hooks.ts";
import type { Plan } from "../plan/plan.ts";
import type { ReadHooks } from "../read-hooks.ts";
import type { Recorder } from "../recorders.ts";

/** Publishes and unpublishes documents on schedule. */
export interface Schedules {
  /**
   * Schedules a document in the query's locale; null if there is no such document. `demand` refuses by throwing, once
   * the document is locked.
   */
  set(
    context: OperationContext,
    type: ContentType,
    documentId: string,
    request: Pick<OperationRequest, "data" | "query">,
    demand: (session: Session) => Promise<void>,
  ): Promise<Schedule | null>;
  /** The schedule of a document, if there is or was one and the caller may read drafts. */
  find(context: ReadContext, type: ContentType, wanted: WantedSchedule): Promise<Schedule | undefined>;
}

/**
 * Identifies a schedule by its document and locale; the default locale if none is given. A single type needs no
 * documentId.
 */
export interface WantedSchedule {
  readonly documentId: string;
  readonly locale: unknown;
}

/** Identifies a version by its document and number. A single type needs no documentId. */
export interface WantedVersion {
  readonly documentId: string;
  readonly version: number;
}

/** A kept version. */
export interface KeptVersion {
  readonly info: VersionInfo;
  readonly document: RowSet;
  readonly gone: readonly GonePart[];
}

export interface VersionList {
  readonly versions: VersionInfo[];
  readonly pagination: Pagination;
}

/** Kept versions of documents. Versions that the caller may not read count as missing. */
export interface Versions {
  /** The versions of a document, newest first; limited to the query's locale and status, if given. */
  list(context: OperationContext, type: ContentType, documentId: string, query: RawQuery): Promise<VersionList>;
  /** The last versions of deleted documents, or of deleted locales. */
  deleted(context: OperationContext, type: ContentType, query: RawQuery): Promise<VersionList>;
  find(
    context: OperationContext,
    type: ContentType,
    wanted: WantedVersion,
    query: RawQuery,
  ): Promise<KeptVersion | undefined>;
  /** The attributes that differ from the version `to` of the query, or from the stored version. */
  compare(
    context: OperationContext,
    type: ContentType,
    wanted: WantedVersion,
    query: RawQuery,
  ): Promise<readonly VersionDifference[] | undefined>;
  /** Restores a version: as the draft, if the type has drafts. `data` overrides values. */
  restore(
    context: OperationContext,
    type: ContentType,
    wanted: WantedVersion,
    request: OperationRequest,
  ): Promise<{ readonly done: Done; readonly gone: readonly GonePart[] } | undefined>;
}

export interface OperationServices extends ReadServices, WriteServices, HookServices {
  /** The application's hooks around writes, by type. */
  readonly hooks: Readonly<Record<Uid, Hooks>>;
  /** The hooks that run when clients read; undefined if there are none. */
  readonly readHooks?: ReadHooks | undefined;
  /** Follow-up work after writes to built-in types. */
  readonly followUps: FollowUps;
  /** Records changes; empty unless the project asks for records. */
  readonly recorders: readonly Recorder[];
  /** Undefined if no type has `options.schedule`. */
  readonly schedules?: Schedules | undefined;
  /** Undefined if no type has `options.history`. */
  readonly versions?: Versions | undefined;
  /** The transaction of application code that these services belong to. */
  readonly unit?: Unit | undefined;
  /** Runs `work` with the services of a transaction, which is committed when `work` resolves. */
  inUnit<Result>(work: (services: OperationServices) => Promise<Result>): Promise<Result>;
}

/** A transaction of application code, which may contain any number of writes. */
export interface Unit {
  /** The services outside the transaction, for tasks after the commit. */
  readonly outside: OperationServices;
  /** Schedules tasks to run after the commit. */
  afterwards(tasks: readonly Task[]): void;
}

/** A task that follows a write. */
export type Task = () => void | Promise<void>;

/** The context of an operation. The caller's permissions decide which relations may be written and shown. */
export type OperationContext = ReadContext & {
  readonly services: OperationServices;
  /** The caller that hooks see, if `caller` has other rights because permissions were checked before. */
  readonly by?: Caller | undefined;
};

export interface OperationRequest {
  readonly data: Readonly<Record<string, unknown>>;
  /** `locale`, `status`, and the options of the response: `fields`, `populate`. */
  readonly query: RawQuery;
  /** The locale that supplies a new locale's values where `data` has none. */
  readonly copyFrom?: unknown;
  /** Whether changing a draft also removes the published version. */
  readonly unpublishes?: boolean;
  /** Whether relations may lead to documents that do not exist in the written locale. */
  readonly anyLocale?: boolean;
  /** The `updatedAt` that the replaced version must have, in the format of responses. */
  readonly expected?: string | undefined;
  /** The id of a deleted document that is created again. */
  readonly newId?: string;
  /** Further work in the transaction of the write, after the document is stored. May run more than once. */
  readonly also?: Also;
}

/** Work done in the transaction of a write or deletion. */
export type Also = (session: Session, documentId: string) => Promise<void>;

/** The result of an operation. */
export interface Done {
  readonly documentId: string;
  /** The written version, as the query asks for it; null if the caller may not read it. */
  readonly shown: RowSet | null;
  /** The plan that was executed. */
  readonly plan: Plan;
}
