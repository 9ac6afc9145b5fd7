/**
 * The client that `generated/client/` is built on. It needs only `fetch`, so it runs in browsers, Node and edge
 * runtimes, and works with any server of this wire format.
 */
export type * from "./answers.ts";
export type * from "./auth.ts";
export { auth } from "./auth.ts";
export type * from "./content.ts";
export { collection, collectionWithDrafts, scheduled, scheduledSingle, single, singleWithDrafts } from "./content.ts";
export { type AnyRequest, defineClient } from "./define.ts";
export { type Failure, type Fault, type FaultDetails, RequestError } from "./error.ts";
export type * from "./files.ts";
export { files } from "./files.ts";
export type { Http, InternalParts, RequestParts } from "./http.ts";
export { type Locale, type Locales, locales } from "./locales.ts";
export type { ClientOptions, RequestOptions, Send } from "./options.ts";
export { memoryStore, type Session, type SessionStore } from "./session.ts";
export type { OnProgress, Progress } from "./upload.ts";
export type * from "./versions.ts";
export { withSingleVersions, withVersions } from "./versions.ts";
export { type NewUser, type UserQuery, type Users, users, type UsersQuery } from "./users.ts";
