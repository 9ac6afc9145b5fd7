/**
 * What can be done to documents, each in one transaction that ends with reading what was written in the shape that the
 * query asks for. REST, GraphQL and the document service go through here.
 */
export type { Also, Done, OperationContext, OperationServices, OperationRequest } from "./context.ts";
export { discardDraft, discardDraftSingle, publish, publishSingle, unpublish, unpublishSingle } from "./publication.ts";
export { createMany } from "./create-many.ts";
export { removeMany } from "./remove-many.ts";
export { updateMany } from "./update-many.ts";
export { removeInPlace, updateInPlace, wishedStatus } from "./in-place.ts";
export { findSingleId } from "./single.ts";
export { remove, removeSingle } from "./remove.ts";
export { create, update, updateSingle } from "./write.ts";
