/** Runs a schedule once, as the caller who set it. */
import { and, type Column, eq, type SQL, sql } from "drizzle-orm";
import type { Caller } from "../access/caller.ts";
import { callerOf } from "../access/stored-caller.ts";
import type { AccountServices } from "../accounts/services.ts";
import { ForbiddenError, HttpError } from "../base/errors.ts";
import { messageOf } from "../base/thrown.ts";
import { builder, run, type Session } from "../database/database.ts";
import { NOW } from "../database/instants.ts";
import { type OperationServices, publish, unpublish } from "../documents/operations/index.ts";
import { documents } from "../schema/columns.ts";
import {
  cancelledBy,
  endSchedule,
  IS_NEXT,
  ofTarget,
  present,
  type ScheduledAction,
  type Target,
  UNPUBLISHED,
} from "./rows.ts";
import { documentSchedules as schedules } from "./tables.ts";

/** Attempts before a failure caused by neither the document nor the caller is final. */
const ATTEMPTS = 12;

const OPERATIONS = { publish, unpublish };

interface Claimed extends Target {
  readonly id: number;
  readonly action: ScheduledAction;
}

/** A due schedule, and the stored caller who set it. */
export interface Due {
  readonly id: number;
  readonly caller: unknown;
}

/**
 * Locks a schedule and its document. Returns undefined if another process holds it, an earlier schedule comes first, or
 * it has ended; returns the reason if its type allows no schedules.
 */
const claim = async (
  session: Session,
  services: OperationServices,
  id: number,
): Promise<Claimed | string | undefined> => {
  // A type that was renamed to another uid keeps its documents.
  const [row] = await run(
    session,
    sql`with claimed as materialized (
        select * from ${schedules} where ${schedules.id} = ${id} and ${schedules.state} = 'waiting' and ${IS_NEXT}
        for update skip locked)
      select document_id, locale, action, coalesce(
        (select ${documents.type} from ${documents} where ${documents.documentId} = claimed.document_id for update), type)
      from claimed`,
  );
  if (!row) return undefined;
  const [documentId, locale, action, uidNow] = row;
  const uid = String(uidNow);
  if (!services.registry.has(uid)) return "Its content type is gone";
  const type = services.registry.contentType(uid);
  if (!type.schedule) return "Its content type has no schedules any more";
  return {
    id,
    type,
    documentId: String(documentId),
    locale: type.localized ? String(locale) : null,
    action: action === "publish" ? "publish" : "unpublish",
  };
};

/** Why the schedule no longer holds; null if it does. */
const cancellation = async (session: Session, job: Claimed): Promise<string | null> => {
  const [row] = await run(
    session,
    sql`select ${cancelledBy(job.type)} from ${schedules} where ${schedules.id} = ${job.id}`,
  );
  return typeof row?.[0] === "string" ? row[0] : null;
};

const demandAllowed = (caller: Caller, { type: { uid }, action }: Claimed): void => {
  if (!caller.can(`${uid}.schedule`) || !caller.can(`${uid}.${action}`)) throw new ForbiddenError();
};

/**
 * Ends a schedule that was carried out. After an unpublication, pending publications are too late: they are cancelled,
 * since retrying would not help. After a publication, the other schedules apply to the new published state.
 */
const endDone = (session: Session, job: Claimed): Promise<unknown> => {
  const ofThis = (value: SQL, ofOthers: SQL | Column): SQL =>
    sql`case when ${schedules.id} = ${job.id} then ${value} else ${ofOthers} end`;
  const waiting = sql`${ofTarget(job)} and ${schedules.state} = 'waiting'`;
  return run(
    session,
    job.action === "publish"
      ? sql`update ${schedules} set state = ${ofThis(sql`'done'`, schedules.state)},
          ended_at = ${ofThis(NOW, schedules.endedAt)}, published_at = ${present(job).publishedAt} where ${waiting}`
      : sql`update ${schedules} set state = ${ofThis(sql`'done'`, sql`'cancelled'`)},
          reason = ${ofThis(sql`null`, sql`${UNPUBLISHED}`)}, ended_at = ${NOW}
          where ${waiting} and (${schedules.id} = ${job.id} or ${schedules.action} = 'publish')`,
  );
};

const NOT_ALLOWED = "Whoever scheduled it may no longer do this";

/** Records a failure; fails the schedule immediately if a retry cannot help. */
const noteFailure = async (services: AccountServices, id: number, error: unknown): Promise<void> => {
  const { database, log } = services;
  const isFinal = error instanceof HttpError && error.status < 500;
  const isForbidden = isFinal && (error.status === 401 || error.status === 403);
  log.warn({ err: error, schedule: id }, "a schedule could not be run");
  const waiting = and(eq(schedules.id, id), eq(schedules.state, "waiting"));
  const attempts = sql`${schedules.attempts} + 1`;
  const failed = { state: "failed", reason: isForbidden ? NOT_ALLOWED : messageOf(error), endedAt: NOW };
  if (isFinal) return void (await run(database, builder.update(schedules).set(failed).where(waiting)));
  const retryAt = sql`${NOW} + least(power(2, ${schedules.attempts}), 300) * interval '1 second'`;
  await run(database, builder.update(schedules).set({ attempts, retryAt }).where(waiting));
  const exhausted = and(waiting, sql`${schedules.attempts} >= ${ATTEMPTS}`);
  await run(database, builder.update(schedules).set(failed).where(exhausted));
};

const cancel = async (
  { database, log }: OperationServices,
  about: { readonly schedule: number },
  reason: string,
): Promise<true> => {
  await endSchedule(database, about.schedule, "cancelled", reason);
  log.info({ ...about, reason }, "a schedule was cancelled");
  return true;
};

/** Runs in the transaction of the change. Cancelling does not need the caller who set the schedule. */
const carryOutIn = async (
  services: OperationServices,
  id: number,
  scheduler: () => Promise<Caller>,
): Promise<boolean> => {
  const { database: session, log } = services;
  const job = await claim(session, services, id);
  if (!job) return false;
  if (typeof job === "string") return cancel(services, { schedule: id }, job);
  const { type, documentId, locale, action } = job;
  const about = { schedule: id, uid: type.uid, documentId, locale, action };
  const reason = await cancellation(session, job);
  if (reason !== null) return cancel(services, about, reason);
  const caller = await scheduler();
  demandAllowed(caller, job);
  const done = await OPERATIONS[action]({ services, caller }, type, documentId, locale === null ? {} : { locale });
  // The document exists, so the caller may no longer read it.
  if (!done) throw new ForbiddenError();
  await endDone(session, job);
  log.info(about, "done as scheduled");
  return true;
};

/** The caller who set the schedule, with today's permissions. */
const schedulerOf = async ({ auth }: AccountServices, { caller }: Due): Promise<Caller> => auth.again(callerOf(caller));

/** Runs a due schedule and marks it done, in one transaction. Returns false if another process holds it or has run it. */
export const carryOut = async (services: AccountServices, due: Due): Promise<boolean> => {
  // Before the transaction, because an embedded database has only one connection.
  const scheduler = schedulerOf(services, due);
  await scheduler.catch(() => {});
  try {
    return await services.inUnit((inside) => carryOutIn(inside, due.id, () => scheduler));
  } catch (error) {
    await noteFailure(services, due.id, error);
    return true;
  }
};
