/** What every operation works with: who asks, what for, and how the answer is read. */
import { mayReadDrafts } from "../../access/drafts.ts";
import type { Session } from "../../database/database.ts";
import {
  planOne,
  type PlannedRead,
  type RawQuery,
  type ReadContext,
  type ReadServices,
  type RowSet,
} from "../../query/index.ts";
import type { ContentType, Uid } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import type { WriteServices } from "../context.ts";
import type { FollowUps } from "../follow-up.ts";
import type { Hooks, HookServices, WriteHooks } from "../hooks.ts";
import type { Plan } from "../plan/plan.ts";
import type { ReadHooks } from "../read-hooks.ts";
import { hookedDocument, versionIn } from "./hooked.ts";

export interface OperationServices extends ReadServices, WriteServices, HookServices {
  /** Code of the user's that runs around writes. */
  readonly hooks: Readonly<Record<Uid, Hooks>>;
  /** Those of the hooks that run when clients read; undefined where there are none. */
  readonly readHooks?: ReadHooks | undefined;
  /** What else follows from writes. */
  readonly followUps: FollowUps;
  /** The transaction of the application's code that these services are for. */
  readonly unit?: Unit | undefined;
  /** Runs `work` with the services of a transaction, which is committed when it resolves. */
  inUnit<Result>(work: (services: OperationServices) => Promise<Result>): Promise<Result>;
}

/** A transaction of the application's code, of which any number of writes are part. */
export interface Unit {
  /** The services of the application, for what runs when everything is committed. */
  readonly outside: OperationServices;
  /** Has this done when everything is committed. */
  afterwards(tasks: readonly Task[]): void;
}

/** Something that follows from a write. */
export type Task = () => void | Promise<void>;

/** The hooks of one content type. */
export const hooksOf = ({ hooks }: OperationServices, { uid }: ContentType): Hooks => hooks[uid] ?? {};

/**
 * Runs a write of `documentId`, which is undefined for a new one, where its hooks want it: in a transaction with those
 * that are to run in there.
 */
export const besideHooks = <Result>(
  context: OperationContext,
  { inTransaction }: Hooks,
  documentId: string | undefined,
  work: (context: OperationContext, inside: WriteHooks) => Promise<Result>,
): Promise<Result> => {
  const { services } = context;
  if (!inTransaction) return work(context, {});
  const run = () => services.inUnit((inside) => work({ ...context, services: inside }, inTransaction));
  return services.unit || documentId === undefined ? run() : services.turns.take([documentId], run);
};

/** Who writes: the caller's permissions decide which relations may be written and shown. */
export type OperationContext = ReadContext & { readonly services: OperationServices };

export interface OperationRequest {
  readonly data: Readonly<Record<string, unknown>>;
  /** `locale`, `status`, and what shapes the answer: `fields`, `populate`. */
  readonly query: RawQuery;
  /** With a change of a draft: the published version is taken away. */
  readonly unpublishes?: boolean;
  /** What else belongs to the write: done in its transaction, once the document is stored. May run again. */
  readonly also?: Also;
}

/** Something that is done together with a write or a deletion, in its transaction. */
export type Also = (session: Session, documentId: string) => Promise<void>;

/** What an operation leaves behind. */
export interface Done {
  readonly documentId: string;
  /** The version that it wrote, as the query asks for it; null for callers who may not read it. */
  readonly shown: RowSet | null;
  /** What was carried out. */
  readonly plan: Plan;
}

/** Whether the caller may be shown a version in this status. */
export const mayShow = ({ services, caller }: OperationContext, type: ContentType, status: Status): boolean =>
  status === "published" || !type.draftAndPublish || mayReadDrafts(services.config, caller, type.uid);

/** The read of what was written, whatever the query filters; undefined when the caller may not read it. */
export const planReadBack = (
  context: OperationContext,
  session: Session,
  type: ContentType,
  documentId: string,
  { status, locale, query }: { status: Status; locale: string | null; query: RawQuery },
): PlannedRead | undefined => {
  if (!mayShow(context, type, status)) return undefined;
  const { fields, populate } = query;
  return planOne({ ...context, session }, type, documentId, {
    ...(fields === undefined ? {} : { fields }),
    ...(populate === undefined ? {} : { populate }),
    ...(locale === null ? {} : { locale }),
    status: type.draftAndPublish ? status : (query["status"] ?? status),
  });
};

/** What hooks are told about a write; after it, in the context that {@link afterwards} gives. */
export const eventOf = ({ services, caller }: OperationContext, type: ContentType, locale: string | null) => ({
  uid: type.uid,
  caller,
  locale,
  documents: services.documents,
  services,
});

/** The document as a write leaves it, and as it was in `status`. */
export const changeOf = (
  { services }: OperationContext,
  { type, documentId, version, before }: Plan,
  status: Status,
) => {
  const previous = versionIn(type, before, status);
  return {
    document: hookedDocument(services, type, documentId, version),
    previous: previous ? hookedDocument(services, type, documentId, previous) : null,
  };
};
