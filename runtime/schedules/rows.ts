/** The rows of schedules, and how their state follows from changes of their documents. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { callerOf } from "../access/stored-caller.ts";
import type { Schedule } from "../client/answers.ts";
import { builder, type Reader, type Row, run } from "../database/database.ts";
import { instantText, NOW } from "../database/instants.ts";
import type { ContentType } from "../schema/content-type.ts";
import { documentSchedules as schedules } from "./tables.ts";

/** The actions that can be scheduled. */
export type ScheduledAction = "publish" | "unpublish";

/** A document in a locale, which is null for types without locales. */
export interface Target {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
}

/** The versions of a document in a locale, as a schedule refers to them. */
const versionsOf = ({ type: { table }, documentId, locale }: Target): SQL =>
  sql`${table} where ${table.documentId} = ${documentId}${table.locale ? sql` and ${table.locale} = ${locale ?? ""}` : sql``}`;

const versionsOfRow = ({ table }: ContentType): SQL =>
  sql`${table} where ${table.documentId} = ${schedules.documentId}${table.locale ? sql` and ${table.locale} = ${schedules.locale}` : sql``}`;

/** The row of the draft; null if there is no such document. */
const draftIn = ({ table }: ContentType, versions: SQL): SQL =>
  sql`(select ${table.id} from ${versions} and ${table.publishedAt} is null)`;

/** When the current published version was published. */
const publishedIn = ({ table }: ContentType, versions: SQL): SQL =>
  sql`(select ${table.publishedAt} from ${versions} and ${table.publishedAt} is not null)`;

const PUBLISHED = "It was published before";
export const UNPUBLISHED = "It was unpublished before";
const DELETED = "It was deleted before";

/** Why a waiting schedule of the type no longer holds; null if it does. */
export const cancelledBy = (type: ContentType): SQL => {
  const published = publishedIn(type, versionsOfRow(type));
  return sql`case
    when ${draftIn(type, versionsOfRow(type))} is distinct from ${schedules.draftId} then ${DELETED}
    when ${published} is not distinct from ${schedules.publishedAt} then null
    when ${published} is null then ${UNPUBLISHED}
    else ${PUBLISHED} end`;
};

/**
 * Whether no earlier schedule of the same document is waiting: a publication due first runs before the unpublication. A
 * schedule that failed and is being retried does not block others.
 */
export const IS_NEXT = sql`not exists (select from ${schedules} as earlier where earlier.document_id = ${schedules.documentId}
  and earlier.locale = ${schedules.locale} and earlier.state = 'waiting' and earlier.attempts = 0
  and (earlier.at, earlier.id) < (${schedules.at}, ${schedules.id}))`;

export const ofTarget = ({ documentId, locale }: Target) =>
  and(eq(schedules.documentId, documentId), eq(schedules.locale, locale ?? ""));

const isAction = (value: unknown): value is ScheduledAction => value === "publish" || value === "unpublish";
const isEnd = (value: unknown): value is NonNullable<Schedule["last"]>["state"] =>
  value === "done" || value === "cancelled" || value === "failed";

/** The order of schedules: those that have not ended, and then those that ended last. */
const LAST_FIRST = sql`${schedules.endedAt} desc nulls first, ${schedules.at} desc`;

/** Selects the schedules of a type in their current state. */
const current = (type: ContentType, where: SQL | undefined, limit: number, order: SQL = LAST_FIRST): SQL => {
  const { state, reason, action, at, documentId, locale, caller } = schedules;
  return sql`select ${action}, ${at}::text, case when cancelled is null then ${state} else 'cancelled' end,
      coalesce(cancelled, ${reason}), ${documentId}, ${locale}, ${caller}
    from ${schedules} cross join lateral (select case when ${state} = 'waiting' then ${cancelledBy(type)} end) as present(cancelled)
    where ${where} order by ${order} limit ${limit}`;
};

const endOf = ([action, at, state, reason]: Row): Schedule["last"] =>
  isAction(action) && isEnd(state)
    ? { action, at: instantText(at), state, reason: typeof reason === "string" ? reason : null }
    : null;

/** The schedule of a document: what is waiting, and what ended last. Undefined if there has been none. */
export const readSchedule = async (session: Reader, target: Target): Promise<Schedule | undefined> => {
  const rows = await run(session, current(target.type, ofTarget(target), 10));
  if (rows.length === 0) return undefined;
  const waitingFor = (wanted: ScheduledAction): string | null => {
    const row = rows.find(([action, , state]) => action === wanted && state === "waiting");
    return row ? instantText(row[1]) : null;
  };
  const { documentId, locale } = target;
  const ended = rows.map(endOf).find((each) => each !== null) ?? null;
  return { documentId, locale, publishAt: waitingFor("publish"), unpublishAt: waitingFor("unpublish"), last: ended };
};

/** A schedule in a list. */
export interface ListedSchedule {
  readonly action: string;
  readonly at: string;
  readonly state: string;
  readonly reason: string | null;
  readonly documentId: string;
  readonly locale: string | null;
  /** The caller who scheduled it, such as `user 12`. */
  readonly by: string;
}

const nameOf = (caller: unknown): string => {
  const { kind, userId, tokenId } = callerOf(caller);
  return [kind === "system" ? "code" : kind, userId ?? tokenId].filter((part) => part !== undefined).join(" ");
};

/** The most schedules that are listed. */
const LISTED = 10_000;

/**
 * The schedules of a type, in the order of their instants: the first {@link LISTED} that wait, or with `all` also the
 * last ended ones.
 */
export const listSchedules = async (
  session: Reader,
  type: ContentType,
  all: boolean,
): Promise<readonly ListedSchedule[]> => {
  const where = and(eq(schedules.type, type.uid), all ? undefined : eq(schedules.state, "waiting"));
  const order = all ? LAST_FIRST : sql`${schedules.at}, ${schedules.id}`;
  return (await run(session, current(type, where, LISTED, order)))
    .map(([action, at, state, reason, documentId, locale, caller]) => ({
      action: String(action),
      at: instantText(at),
      state: String(state),
      reason: typeof reason === "string" ? reason : null,
      documentId: String(documentId),
      locale: locale === "" ? null : String(locale),
      by: nameOf(caller),
    }))
    .toSorted((one, other) => (one.at < other.at ? -1 : 1));
};

/** The state that is compared with the document's when the schedule is due. */
export const present = (target: Target) => {
  const versions = versionsOf(target);
  return { draftId: draftIn(target.type, versions), publishedAt: publishedIn(target.type, versions) };
};

/** Whether a document is published; undefined if there is no such document. */
export const stateOf = async (
  session: Reader,
  target: Target,
): Promise<{ readonly isPublished: boolean } | undefined> => {
  const { draftId, publishedAt } = present(target);
  const [[draft, isPublished] = [null]] = await run(session, sql`select ${draftId}, ${publishedAt} is not null`);
  return draft === null ? undefined : { isPublished: isPublished === true };
};

/** Ends a schedule. */
export const endSchedule = (
  session: Reader,
  id: number,
  state: NonNullable<Schedule["last"]>["state"],
  reason: string | null = null,
): Promise<unknown> =>
  run(session, builder.update(schedules).set({ state, reason, endedAt: NOW }).where(eq(schedules.id, id)));
