/** What generated `rest.ts` files link against: a router, the permission check, and one handler factory per action. */
export type { RestAction } from "./answers.ts";
export { authenticated, can, everyone, type Router, router } from "./router.ts";
export type { RouteEnv as AppEnv } from "../context.ts";
export type {
  AddedQuery,
  RestChanges,
  RestChangesOfAll,
  RestHandler,
  RestPolicy,
  RestPolicyContext,
} from "./custom.ts";
export { find, findOne, findSingle } from "./read.ts";
export { compareVersions, findDeleted, findVersion, findVersions, restoreVersion } from "./versions.ts";
export { type RouteSchemas, schemas } from "./schemas.ts";
export {
  create,
  discardDraft,
  discardDraftSingle,
  publish,
  publishSingle,
  remove,
  removeSingle,
  schedule,
  scheduleSingle,
  unpublish,
  unpublishSingle,
  update,
  updateSingle,
} from "./write.ts";
