/** Schedules and kept versions of documents, in projects with types that have `options.schedule` or `options.history`. */
import { ForbiddenError, ValidationError } from "../../base/errors.ts";
import type { Schedule } from "../../client/answers.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { areAllowed, touchedVersions } from "../sql/allowed.ts";
import type { OperationContext, OperationRequest, OperationServices, Versions } from "./context.ts";
import { isHidden } from "./guard.ts";
import { writtenLocale } from "./parameters.ts";

/** Schedules when a document is published and unpublished; null if there is no such document. */
export const schedule = async (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  request: Pick<OperationRequest, "data" | "query">,
): Promise<Schedule | null> => {
  const { schedules, queries, config } = context.services;
  if (!schedules || !type.schedule) throw new ValidationError(`${type.uid} has no "schedule" in its options`);
  if (await isHidden(context, type, documentId)) return null;
  const locale = writtenLocale(config, type, request.query["locale"]);
  const both = (["draft", "published"] as const).map((status) => ({ documentId, locale, status }));
  const limit = queries.limitFor(context.caller, type, "schedule");
  return schedules.set(context, type, documentId, request, async (session) => {
    if (!(await areAllowed(session, touchedVersions(type, both), limit))) throw new ForbiddenError();
  });
};

/** @throws ValidationError when versions of the type are not kept */
export const versionsOf = ({ versions }: OperationServices, { uid, history }: ContentType): Versions => {
  if (!versions || !history) throw new ValidationError(`${uid} has no "history" in its options`);
  return versions;
};
