/**
 * The operations on documents, used by REST, GraphQL and the document service. Each runs in one transaction, which ends
 * by reading the result in the shape that the query asks for.
 */
export type {
  Also,
  Done,
  OperationContext,
  OperationServices,
  OperationRequest,
  VersionList,
  Versions,
  WantedSchedule,
  WantedVersion,
} from "./context.ts";
export { clone } from "./clone.ts";
export { discardDraft, inEveryLocale, type PublicationAction, publish, unpublish } from "./publication.ts";
export { increment } from "./increment.ts";
export { createMany, updateMany } from "./many.ts";
export { removeInPlace, updateInPlace, wishedStatus } from "./in-place.ts";
export { findRowDocument, findSingleId } from "./find.ts";
export { remove, removeMany, removeSingle } from "./remove.ts";
export { schedule, versionsOf } from "./schedule.ts";
export { create, update, updateSingle } from "./write.ts";
