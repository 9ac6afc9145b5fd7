/** Sets and shows when documents are published and unpublished. */
import { and, eq, sql } from "drizzle-orm";
import type { Caller } from "../access/caller.ts";
import { mayReadDrafts } from "../access/drafts.ts";
import { callerText } from "../access/stored-caller.ts";
import { ForbiddenError, invalidKey, ValidationError } from "../base/errors.ts";
import { toInstant } from "../base/instant.ts";
import type { Schedule } from "../client/answers.ts";
import type { Config } from "../config/config.ts";
import { builder, run, type Session } from "../database/database.ts";
import { NOW } from "../database/instants.ts";
import type { OperationRequest, Schedules } from "../documents/operations/context.ts";
import { findSingleId } from "../documents/operations/index.ts";
import { writtenLocale } from "../documents/operations/parameters.ts";
import { documents } from "../schema/columns.ts";
import type { ContentType } from "../schema/content-type.ts";
import { endSchedule, ofTarget, present, readSchedule, type ScheduledAction, stateOf, type Target } from "./rows.ts";
import { documentSchedules as schedules } from "./tables.ts";

const ACTIONS: Readonly<Record<string, ScheduledAction>> = { publishAt: "publish", unpublishAt: "unpublish" };

/** What a body asks for: an instant, or null to remove the schedule. */
type Wanted = Partial<Record<"publishAt" | "unpublishAt", string | null>>;

const instantIn = (key: string, value: unknown): string | null => {
  if (value === null) return null;
  try {
    return toInstant(value);
  } catch (error) {
    if (error instanceof ValidationError) throw new ValidationError(`${key}: ${error.message}`, { key });
    throw error;
  }
};

const wantedIn = (data: OperationRequest["data"]): Wanted => {
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  const unknown = given.find(([key]) => !Object.hasOwn(ACTIONS, key));
  if (unknown) throw invalidKey(unknown[0], { source: "body", path: unknown[0] });
  return Object.fromEntries(given.map(([key, value]) => [key, instantIn(key, value)]));
};

/** Callers cannot schedule what they may not do themselves. */
const demandAllowed = (caller: Caller, { uid }: ContentType, wanted: Wanted): void => {
  for (const [key, at] of Object.entries(wanted)) {
    if (at !== null && !caller.can(`${uid}.${ACTIONS[key]}`)) throw new ForbiddenError();
  }
};

const refusal = (key: string, message: string): ValidationError => new ValidationError(`${key}: ${message}`, { key });

/** Refuses what would already fail now. */
const demandPossible = (wanted: Wanted, after: Schedule, now: string, isPublished: boolean): void => {
  for (const [key, at] of Object.entries(wanted)) {
    if (at !== null && at <= now) throw refusal(key, `${at} has passed`);
  }
  const { publishAt, unpublishAt } = after;
  if (unpublishAt === null) return;
  if (publishAt !== null && unpublishAt <= publishAt)
    throw refusal("unpublishAt", `it has to be after publishAt, ${publishAt}`);
  if (publishAt === null && !isPublished && wanted.unpublishAt)
    throw refusal("unpublishAt", "the document is not published");
};

const store = async (session: Session, target: Target, caller: Caller, wanted: Wanted): Promise<void> => {
  for (const [key, at] of Object.entries(wanted)) {
    const action = ACTIONS[key] ?? "publish";
    const waiting = and(ofTarget(target), eq(schedules.action, action), eq(schedules.state, "waiting"));
    const [before] = await run(session, builder.select({ id: schedules.id }).from(schedules).where(waiting));
    if (before)
      await endSchedule(session, Number(before[0]), "cancelled", at === null ? "It was withdrawn" : "It was replaced");
    if (at === null) continue;
    const { type, documentId, locale } = target;
    await run(
      session,
      sql`insert into ${schedules} (document_id, type, locale, action, at, caller, draft_id, published_at, state, attempts)
        values (${documentId}, ${type.uid}, ${locale ?? ""}, ${action}, ${at.slice(0, -1)}::timestamp, ${callerText(caller)}::json,
          ${present(target).draftId}, ${present(target).publishedAt}, 'waiting', 0)`,
    );
  }
};

const nothing = ({ documentId, locale }: Target): Schedule => ({
  documentId,
  locale,
  publishAt: null,
  unpublishAt: null,
  last: null,
});

interface Setting {
  readonly caller: Caller;
  readonly wanted: Wanted;
  readonly demand: (session: Session) => Promise<void>;
}

/** Sets the schedule while the document is locked against other changes. */
const setIn = async (
  session: Session,
  target: Target,
  { caller, wanted, demand }: Setting,
): Promise<Schedule | null> => {
  const [row] = await run(
    session,
    sql`select to_char(${NOW}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from ${documents}
      where ${documents.documentId} = ${target.documentId} and ${documents.type} = ${target.type.uid} for update`,
  );
  const state = row && (await stateOf(session, target));
  if (!state) return null;
  await demand(session);
  const before = (await readSchedule(session, target)) ?? nothing(target);
  demandPossible(wanted, { ...before, ...wanted }, String(row[0]), state.isPublished);
  await store(session, target, caller, wanted);
  return (await readSchedule(session, target)) ?? nothing(target);
};

const localeOf = (config: Config, type: ContentType, locale: unknown): string | null =>
  type.localized && (locale === "*" || Array.isArray(locale))
    ? config.locales.default
    : writtenLocale(config, type, locale);

/** The schedules of all documents. */
export const createSchedules = (): Schedules => ({
  async set({ services, caller }, type, documentId, { data, query }, demand) {
    const wanted = wantedIn(data);
    demandAllowed(caller, type, wanted);
    const target = { type, documentId, locale: writtenLocale(services.config, type, query["locale"]) };
    if (documentId.includes("\0")) return null;
    return services.database.transaction((session) => setIn(session, target, { caller, wanted, demand }));
  },
  async find({ services: { config, database }, caller, session = database }, type, { documentId: named, locale }) {
    if (!mayReadDrafts(config, caller, type.uid)) return undefined;
    const documentId = type.kind === "singleType" ? await findSingleId(database, type) : named;
    if (documentId === undefined || documentId.includes("\0")) return undefined;
    return readSchedule(session, { type, documentId, locale: localeOf(config, type, locale) });
  },
});
