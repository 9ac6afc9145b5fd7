/** Lists of the documents that are scheduled, below the REST prefix. */
import type { Context, Next } from "hono";
import { mayReadDrafts } from "../access/drafts.ts";
import { ForbiddenError } from "../base/errors.ts";
import { isRecord } from "../base/is-record.ts";
import { limited, limitsOf } from "../documents/read-hooks.ts";
import type { AppEnv } from "../http/context.ts";
import { contextOf, parsedQueryOf } from "../http/rest/exchange.ts";
import { find } from "../http/rest/index.ts";
import { can, type Router, router } from "../http/rest/router.ts";
import { Budget, objectsOf, readMany, UNLIMITED, unlimited } from "../query/index.ts";
import type { ContentType } from "../schema/content-type.ts";
import { type ListedSchedule, listSchedules } from "./rows.ts";

/**
 * The schedules of drafts that the caller may read. The others must not tell that a document has a draft in a language.
 */
const readable = async (
  { services, caller }: ReturnType<typeof contextOf>,
  type: ContentType,
  waiting: readonly ListedSchedule[],
): Promise<readonly ListedSchedule[]> => {
  const asked = {
    status: "draft",
    locale: type.localized ? "*" : undefined,
    filters: { documentId: { $in: waiting.map(({ documentId }) => documentId) } },
    fields: type.localized ? ["documentId", "locale"] : ["documentId"],
    pagination: { start: 0, limit: unlimited.maxLimit, withCount: false },
  };
  const query = limited(asked, await limitsOf({ services, caller }, type));
  const budget = new Budget(services.config, UNLIMITED);
  const { documents } = await readMany({ services, caller, budget, code: true, limits: unlimited }, type, query);
  const drafts = new Set(objectsOf(documents).map(versionOf));
  return waiting.filter((each) => drafts.has(versionOf(each)));
};

const versionOf = ({ documentId, locale }: Partial<Record<"documentId" | "locale", unknown>>): string =>
  [documentId, locale].join(" ");

/** What is scheduled for the documents of a response. */
const shownIn = (data: unknown, waiting: readonly ListedSchedule[]) => {
  const shown = new Set(Array.isArray(data) ? data.filter(isRecord).map(({ documentId }) => documentId) : []);
  return waiting
    .filter(({ documentId }) => shown.has(documentId))
    .map(({ documentId, locale, action, at }) => ({ documentId, locale, action, at }));
};

/** Answers with the type's list, limited to the scheduled documents; `meta.schedules` says what happens to them when. */
const findScheduled = (type: ContentType) => async (c: Context<AppEnv>, next: Next) => {
  const context = contextOf(c);
  const { config, database } = context.services;
  if (!mayReadDrafts(config, context.caller, type.uid)) throw new ForbiddenError();
  const { locale = config.locales.default } = parsedQueryOf(c);
  const isMeant = (code: string | null): boolean => code === null || locale === "*" || [locale].flat().includes(code);
  const all = await listSchedules(database, type, false);
  const waiting = await readable(
    context,
    type,
    all.filter((each) => each.state === "waiting" && isMeant(each.locale)),
  );
  const ids = waiting.map(({ documentId }) => documentId);
  c.set("added", { status: "draft", filters: { documentId: { $in: ids } } });
  c.set("isRead", true);
  const answer = await find(type)(c, next);
  const list: unknown = answer instanceof Response ? await answer.json() : null;
  if (!isRecord(list) || !isRecord(list["meta"])) throw new TypeError("a list has no meta");
  return c.json({ ...list, meta: { ...list["meta"], schedules: shownIn(list["data"], waiting) } });
};

/** The types of a project. */
interface Typed {
  readonly contentTypes: Readonly<Record<string, { readonly type: ContentType }>>;
}

/** The routes, for each type that can be scheduled. */
export const scheduleRoutes = ({ contentTypes }: Typed): Router => {
  const routes = router();
  for (const { type } of Object.values(contentTypes)) {
    if (type.schedule && type.kind === "collectionType")
      routes.get(`/schedules/${type.pluralName}`, can(`${type.uid}.find`), findScheduled(type));
  }
  return routes;
};
