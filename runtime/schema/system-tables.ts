/** The runtime's own tables: generated migrations include them like those of the content types. */
export {
  apiTokens,
  oneTimeCodes,
  rateLimits,
  rolePermissions,
  userIdentities,
  userSessions,
  userTokenVersions,
} from "./tables/accounts.ts";
export { componentIds, documents } from "./columns.ts";
export { files } from "./tables/files.ts";
